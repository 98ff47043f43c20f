import { renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { menuModeOn, menuWidth, useRelayout } from './menu-width.ts'

const relayout = vi.fn<() => void>()

beforeEach(() => {
  vi.useFakeTimers()
  window.addEventListener('resize', relayout)
})
afterEach(() => {
  window.removeEventListener('resize', relayout)
  relayout.mockReset()
  vi.useRealTimers()
})

test('a collapse change is followed by one re-layout after 300 ms [SHELL-48]', () => {
  const { rerender } = renderHook(({ width }) => useRelayout(width), {
    initialProps: { width: menuWidth('Expand') },
  })
  vi.advanceTimersByTime(10_000)
  expect(relayout).not.toHaveBeenCalled()
  rerender({ width: menuWidth('Collapse') })
  vi.advanceTimersByTime(299)
  expect(relayout).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(relayout).toHaveBeenCalledTimes(1)
})

test('Collapse and Auto take the same room, so changing between them moves nothing [SHELL-45]', () => {
  const { rerender } = renderHook(({ width }) => useRelayout(width), {
    initialProps: { width: menuWidth('Collapse') },
  })
  rerender({ width: menuWidth('Auto') })
  vi.advanceTimersByTime(10_000)
  expect(relayout).not.toHaveBeenCalled()
})

test('the menu is narrow automatically where a page or a window needs the space, and a choice wins over a page', () => {
  const roomy = { page: false, window: false }
  expect(menuModeOn(null, roomy)).toBe('Expand')
  expect(menuModeOn(null, { ...roomy, page: true })).toBe('Auto')
  expect(menuModeOn(null, { ...roomy, window: true })).toBe('Auto')
  expect(menuModeOn('Expand', { ...roomy, page: true })).toBe('Expand')
  expect(menuModeOn('Collapse', { ...roomy, page: true })).toBe('Collapse')
  expect(menuModeOn('Expand', { ...roomy, window: true })).toBe('Auto')
})
