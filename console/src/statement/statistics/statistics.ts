/** What is known of the values of one column. */
export interface Statistics {
  readonly rows: number
  readonly nulls: number
  readonly distinct: number
  readonly min: string | null
  readonly max: string | null
  /** Of numbers; null for all others. */
  readonly sum: string | null
  readonly average: string | null
  readonly median: string | null
  /** The first first. */
  readonly frequent: readonly FrequentValue[]
  /** Parts of the same width, from the least value to the largest. */
  readonly bins: readonly Bin[]
}

interface FrequentValue {
  readonly value: string
  /** It is only the beginning. */
  readonly isCut: boolean
  readonly count: number
}

export interface Bin {
  readonly count: number
  /** The least and the largest value in it; null: it is empty. */
  readonly from: string | null
  readonly to: string | null
}

/** So many of all, as 12.5 %; what is there is never 0 %. */
export function shareText(count: number, all: number): string {
  if (count === 0 || all === 0) return '0 %'
  const percent = (100 * count) / all
  if (percent < 0.1) return '< 0.1 %'
  if (percent > 99.9 && count < all) return '> 99.9 %'
  return `${Number(percent.toFixed(1))} %`
}

/** Computed figures have digits that say nothing. */
export const figureText = (value: string): string => {
  const number = Number(value)
  return Number.isFinite(number) ? String(Number(number.toPrecision(12))) : value
}
