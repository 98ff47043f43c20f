import type { ChartSettings } from '@boathouse/contract/editor'
import type { ChartData } from './chart-data.ts'
import { spansOf } from './chart-stack.ts'

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

const LINES = 4

export interface Shape {
  readonly kind: Exclude<ChartSettings['kind'], 'number'>
  readonly stack: ChartSettings['stack']
}

/** What is stacked, if anything: lines and points stand for themselves. */
export const stackOf = ({ kind, stack }: Shape): Shape['stack'] =>
  kind === 'bar' || kind === 'area' ? stack : 'none'

/** Bars and areas start at 0; lines and points can start anywhere. */
export function heightScale({ points }: Pick<ChartData, 'points'>, shape: Shape): Scale {
  const stack = stackOf(shape)
  if (stack === 'percent' && points.every(({ values }) => values.every((value) => (value ?? 0) >= 0)))
    return niceScale(0, 100, LINES)
  const beginsAtZero = shape.kind === 'bar' || shape.kind === 'area'
  let least = beginsAtZero ? 0 : Infinity
  let most = beginsAtZero ? 0 : -Infinity
  for (const point of points)
    for (const span of spansOf(point, stack)) {
      if (span === null) continue
      least = Math.min(least, span[1])
      most = Math.max(most, span[1])
    }
  return least > most ? niceScale(0, 1, LINES) : niceScale(least, most, LINES)
}

/** One for both. */
export const joinedScale = (one: Scale, other: Scale): Scale =>
  niceScale(Math.min(one.low, other.low), Math.max(one.high, other.high), LINES)

export const shareOf = (value: number, { low, high }: Pick<Scale, 'low' | 'high'>): number =>
  (value - low) / (high - low || 1)
