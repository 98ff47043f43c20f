import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useColorScheme } from './color-scheme.ts'

const shown = () => document.documentElement.getAttribute('data-scheme')

/** A system that prefers dark or light, and can change its mind. */
function fakeSystem() {
  const listeners = new Set<() => void>()
  const system = { dark: false, change: () => listeners.forEach((listener) => listener()) }
  const media = {
    get matches() {
      return system.dark
    },
    addEventListener: (_type: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_type: string, listener: () => void) => listeners.delete(listener),
  }
  vi.spyOn(window, 'matchMedia').mockReturnValue(media as unknown as MediaQueryList)
  return system
}

let system: ReturnType<typeof fakeSystem>

beforeEach(() => {
  system = fakeSystem()
})
afterEach(() => vi.restoreAllMocks())

test('follows the system until the user chooses', () => {
  const { result } = renderHook(useColorScheme)
  expect(result.current).toMatchObject({ choice: 'auto', scheme: 'light' })
  system.dark = true
  act(() => system.change())
  expect(result.current.scheme).toBe('dark')
  expect(shown()).toBe('dark')
  act(() => result.current.choose('light'))
  expect(result.current).toMatchObject({ choice: 'light', scheme: 'light' })
  expect(shown()).toBe('light')
})

test('a choice is kept for the next visit, and can be reverted', () => {
  const { result } = renderHook(useColorScheme)
  act(() => result.current.toggle())
  expect(window.localStorage.getItem('boathouse.colorScheme')).toBe('dark')
  act(() => result.current.choose('auto'))
  expect(window.localStorage.getItem('boathouse.colorScheme')).toBeNull()
  expect(result.current.scheme).toBe('light')
})

test('a choice made in another window is taken over', () => {
  const { result } = renderHook(useColorScheme)
  window.localStorage.setItem('boathouse.colorScheme', 'dark')
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'boathouse.colorScheme' })))
  expect(result.current).toMatchObject({ choice: 'dark', scheme: 'dark' })
})
