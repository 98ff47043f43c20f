import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Button, IconButton, Tooltip } from './index.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const wait = (ms: number) => act(() => void vi.advanceTimersByTime(ms))

test('says more of what a pointer rests on, and leaves with it', () => {
  render(
    <Tooltip label="Mod+Enter">
      <Button>Run</Button>
    </Tooltip>,
  )
  const run = screen.getByRole('button', { name: 'Run' })
  fireEvent.pointerEnter(run)
  wait(299)
  expect(screen.queryByRole('tooltip')).toBeNull()
  wait(1)
  expect(run.getAttribute('aria-describedby')).toBe(screen.getByRole('tooltip').id)
  fireEvent.keyDown(run, { key: 'Escape' })
  expect(screen.queryByRole('tooltip')).toBeNull()
})

test('a name that is read out already is only shown', () => {
  render(<IconButton label="Close">×</IconButton>)
  const close = screen.getByRole('button', { name: 'Close' })
  fireEvent.pointerEnter(close)
  wait(300)
  expect(screen.getByRole('tooltip').textContent).toBe('Close')
  expect(close.hasAttribute('aria-describedby')).toBe(false)
  fireEvent.pointerLeave(close)
  expect(screen.queryByRole('tooltip')).toBeNull()
})
