import { useCallback, useState } from 'react'

/** Not below 'boathouse.': a change there makes every window read its session again. */
const PREFIX = 'boathouse-kept.'

type KeptStorage = Pick<Storage, 'getItem' | 'setItem'>

/** What this browser remembers of how somebody likes a page; null when it is nothing that `isValid` knows. */
export function readKept<T>(
  name: string,
  isValid: (value: unknown) => value is T,
  storage?: KeptStorage,
): T | null {
  try {
    const value: unknown = JSON.parse((storage ?? window.localStorage).getItem(PREFIX + name) ?? 'null')
    return isValid(value) ? value : null
  } catch {
    // Of another version, cut off, or no storage at all: as if nothing had been kept.
    return null
  }
}

export function writeKept(name: string, value: unknown, storage?: KeptStorage): void {
  try {
    const own = storage ?? window.localStorage
    own.setItem(PREFIX + name, JSON.stringify(value))
  } catch {
    // No room: it is only how a page looks.
  }
}

export const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value)
export const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'
export const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/** A state that the next visit begins with. */
export function useKept<T>(
  name: string,
  initial: T,
  isValid: (value: unknown) => value is T,
): [T, (value: T) => void] {
  const [value, setValue] = useState(() => readKept(name, isValid) ?? initial)
  const keep = useCallback(
    (next: T) => {
      setValue(next)
      writeKept(name, next)
    },
    [name],
  )
  return [value, keep]
}
