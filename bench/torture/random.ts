/** Chance that can be had again: the same seed gives the same numbers. */
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number
  /** A whole number from 0 up to, not including, the limit. */
  below(limit: number): number
  between(least: number, most: number): number
  chance(share: number): boolean
  pick<T>(from: readonly T[]): T
  /** A source of its own, so that one who draws more does not change what another draws. */
  fork(): Random
}

/** Mulberry32: small, quick, and even enough to choose by. */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    next,
    below,
    between: (least, most) => least + below(most - least + 1),
    chance: (share) => next() < share,
    pick<T>(from: readonly T[]): T {
      if (from.length === 0) throw new RangeError('There is nothing to pick from.')
      return from[below(from.length)] as T
    },
    fork: () => seeded(below(2 ** 32)),
  }
}

/** The seed of one of many, so that it can be had again without those before it. */
export const seedOf = (seed: number, index: number): number => Math.imul(seed, 0x9e3779b1) + index
