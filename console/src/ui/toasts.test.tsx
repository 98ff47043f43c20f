import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BaseProvider, dismissAllNotices, notify, useCopy } from './index.ts'

beforeEach(() => {
  vi.useFakeTimers()
  render(<BaseProvider>{null}</BaseProvider>)
})

afterEach(() => {
  dismissAllNotices()
  vi.useRealTimers()
})

const pass = (ms: number): void => act(() => void vi.advanceTimersByTime(ms))

test.each([3_000, 5_000])('a notice that should stay %i ms stays exactly that long', (durationMs) => {
  act(() => void notify({ tone: 'err', message: 'The disk is full.', durationMs }))
  pass(durationMs - 1)
  expect(screen.getByText('The disk is full.')).toBeTruthy()
  pass(1)
  expect(screen.queryByText('The disk is full.')).toBeNull()
})

test('the same sentence is shown once, and stays as long as its latest call asks', () => {
  act(() => void notify({ tone: 'err', message: 'Again.', durationMs: 3_000 }))
  pass(2_000)
  act(() => void notify({ tone: 'err', message: 'Again.', durationMs: 3_000 }))
  expect(screen.getAllByText('Again.')).toHaveLength(1)
  pass(2_000)
  expect(screen.getAllByText('Again.')).toHaveLength(1)
  pass(1_000)
  expect(screen.queryByText('Again.')).toBeNull()
})

test('of many notices only the latest five are on the screen', () => {
  act(() => {
    for (let count = 1; count <= 8; count++) notify({ tone: 'info', message: `Notice ${count}` })
  })
  expect(screen.getAllByText(/^Notice/).map((notice) => notice.textContent)).toEqual(
    [4, 5, 6, 7, 8].map((count) => `Notice ${count}`),
  )
})

test('a notice can be sent away before its time', () => {
  act(() => void notify({ tone: 'ok', message: 'Done.' }))
  act(() => screen.getByRole('button', { name: 'Dismiss' }).click())
  expect(screen.queryByText('Done.')).toBeNull()
})

function CopyButton() {
  const copy = useCopy()
  return (
    <button type="button" onClick={() => copy('text')}>
      copy it
    </button>
  )
}

test.each([
  ['Copy succeeded', () => Promise.resolve()],
  ['Copy failed', () => Promise.reject(new Error('refused'))],
])('copying says "%s"', async (sentence, copy) => {
  render(
    <BaseProvider copy={copy}>
      <CopyButton />
    </BaseProvider>,
  )
  await act(async () => screen.getByRole('button', { name: 'copy it' }).click())
  expect(screen.getAllByText(sentence).length).toBeGreaterThan(0)
})
