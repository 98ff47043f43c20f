import { act, render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { expect, test, vi } from 'vitest'
import { lazyPart } from './lazy-part.ts'

test('a part that cannot be fetched leaves the page as it is, and is fetched again until it comes', async () => {
  vi.useFakeTimers()
  const load = vi
    .fn<() => Promise<{ default: () => React.ReactNode }>>()
    .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
    .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
    .mockResolvedValue({ default: () => <p>The part</p> })
  const Part = lazyPart(load)
  await act(async () =>
    render(
      <>
        <p>The page</p>
        <Suspense fallback={null}>
          <Part />
        </Suspense>
      </>,
    ),
  )
  await act(() => vi.advanceTimersByTimeAsync(500))
  expect(load).toHaveBeenCalledTimes(2)
  expect(screen.queryByText('The page')).not.toBeNull()
  expect(screen.queryByText('The part')).toBeNull()
  await act(() => vi.advanceTimersByTimeAsync(1_000))
  expect(load).toHaveBeenCalledTimes(3)
  expect(screen.queryByText('The part')).not.toBeNull()
})
