import type { ChartData, ChartPoint } from './chart-data.ts'

export interface Scale {
  readonly low: number
  readonly high: number
  readonly ticks: readonly number[]
}

/** 1, 2, 2.5 or 5 times a power of ten: what people read easily. */
function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough))
  return power * ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10)
}

/** Ends at whole steps, with about this many lines. */
export function niceScale(least: number, most: number, lines: number): Scale {
  const span = most - least
  if (!(span > 0)) {
    const edge = Math.abs(least) || 1
    return niceScale(Math.min(0, least - edge), Math.max(0, least + edge), lines)
  }
  const step = niceStep(span / lines)
  const low = Math.floor(least / step) * step
  const high = Math.ceil(most / step) * step
  const count = Math.round((high - low) / step)
  // Not added up: that would gather what floats cannot hold.
  const ticks = Array.from({ length: count + 1 }, (_, at) => Number((low + at * step).toPrecision(12)))
  return { low, high, ticks }
}

const valuesOf = (points: readonly ChartPoint[]): number[] =>
  points.flatMap(({ values }) => values.filter((value) => value !== null))

const LINES = 4

/** Bars and areas start at 0; lines and points can start anywhere. */
export function heightScale({ points }: ChartData, beginsAtZero: boolean): Scale {
  const values = valuesOf(points)
  const least = values.reduce((one, other) => Math.min(one, other), beginsAtZero ? 0 : Infinity)
  const most = values.reduce((one, other) => Math.max(one, other), beginsAtZero ? 0 : -Infinity)
  return values.length === 0 ? niceScale(0, 1, LINES) : niceScale(least, most, LINES)
}

export const shareOf = (value: number, { low, high }: Pick<Scale, 'low' | 'high'>): number =>
  (value - low) / (high - low || 1)
