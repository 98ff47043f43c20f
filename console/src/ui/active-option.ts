import { useState } from 'react'

interface Listed {
  /** By what it is known when the list changes around it. */
  readonly key: string
  readonly disabled?: boolean | undefined
}

/** The next one that can be chosen, in the direction of the step; -1 if there is none. */
function nextIndex(options: readonly Listed[], from: number, step: number): number {
  const count = options.length
  const start = from === -1 && step < 0 ? 0 : from
  for (let tried = 1; tried <= count; tried++) {
    const index = (start + step * tried + count * tried) % count
    if (!options[index]?.disabled) return index
  }
  return -1
}

interface ActiveOption {
  /** -1: none, so that Enter chooses nothing. */
  readonly index: number
  move(step: number): void
  /** Goes to one of them; null: to the first, whichever that is by then. */
  reset(key: string | null): void
}

/**
 * Which option of a list Enter would choose. The option that the user went to stays the same when a late answer moves
 * the others, and is unset when that answer removes it.
 */
export function useActiveOption(options: readonly Listed[]): ActiveOption {
  const [key, setKey] = useState<string | null>(null)
  const index = key === null ? nextIndex(options, -1, 1) : options.findIndex((option) => option.key === key)
  return {
    index,
    move: (step) => setKey(options[nextIndex(options, index, step)]?.key ?? null),
    reset: setKey,
  }
}
