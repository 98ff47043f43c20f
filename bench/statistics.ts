/** The smallest value that at least `share` (0 to 1) of all values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
  if (value === undefined) throw new RangeError('There is no percentile of no values.')
  return value
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)

/** The right mean for ratios: twice as fast and twice as slow cancel out. */
export function geometricMean(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('There is no mean of no values.')
  return Math.exp(sum(values.map(Math.log)) / values.length)
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
