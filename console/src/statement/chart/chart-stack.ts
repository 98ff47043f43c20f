import type { ChartSettings } from '@boathouse/contract/editor'
import type { ChartPoint } from './chart-data.ts'

/** From where to where a value reaches; null: there is none. */
export type Span = readonly [from: number, to: number] | null

/** The spans of a point, one for each series: from 0, on one another, or as shares of 100. */
export function spansOf({ values }: ChartPoint, stack: ChartSettings['stack']): Span[] {
  if (stack === 'none') return values.map((value) => (value === null ? null : [0, value]))
  const all = values.reduce<number>((sum, value) => sum + Math.abs(value ?? 0), 0)
  const scale = stack === 'percent' ? 100 / (all || 1) : 1
  let above = 0
  let below = 0
  return values.map((value) => {
    if (value === null) return null
    const size = value * scale
    if (size < 0) return [below, (below += size)]
    return [above, (above += size)]
  })
}
