/** One line of a benchmark: what the product needs beside what something real needs in the same run. */
export interface Figure {
  readonly label: string
  readonly product: number
  readonly peer: number
}

/** A bar that must be met; `value` is at most or at least the limit, as `sense` says. */
export interface Goal {
  readonly what: string
  readonly value: number
  readonly sense: 'at most' | 'at least'
  readonly limit: number
}

/** What a benchmark found. Milliseconds unless the title says otherwise. */
export interface Measured {
  readonly title: string
  readonly peer: string
  readonly figures: readonly Figure[]
  readonly goals: readonly Goal[]
  /** Whatever else a reader should know. */
  readonly notes: readonly string[]
}

export const isMet = ({ value, sense, limit }: Goal): boolean =>
  sense === 'at most' ? value <= limit : value >= limit

export const atMost = (what: string, value: number, limit: number): Goal => ({
  what,
  value,
  sense: 'at most',
  limit,
})

export const atLeast = (what: string, value: number, limit: number): Goal => ({
  what,
  value,
  sense: 'at least',
  limit,
})
