import type { ChartSettings } from '@boathouse/contract/editor'
import { plainNumber } from './chart-values.ts'

/** One row, as far as it is drawn. */
export interface ChartEntry {
  readonly label: string
  /** Along the chart; null: one name after the other. */
  readonly place: number | null
  /** Place among the series, one for each value. */
  readonly values: readonly {
    readonly series: number
    readonly value: number | null
    readonly text: string
  }[]
}

export interface ChartGroup {
  readonly label: string
  readonly place: number | null
  readonly values: readonly (number | null)[]
  readonly texts: readonly string[]
}

interface Sum {
  rows: number
  count: number
  sum: number
  least: number
  most: number
  /** Of the only value so far. */
  text: string
}

const nothing = (): Sum => ({ rows: 0, count: 0, sum: 0, least: Infinity, most: -Infinity, text: '' })

function add(sum: Sum, value: number | null, text: string): void {
  sum.rows++
  if (value === null) return
  sum.count++
  sum.sum += value
  sum.least = Math.min(sum.least, value)
  sum.most = Math.max(sum.most, value)
  sum.text = text
}

function valueOf(sum: Sum, aggregate: ChartSettings['aggregate']): number | null {
  if (aggregate === 'count') return sum.rows
  if (sum.count === 0) return null
  if (aggregate === 'average') return sum.sum / sum.count
  if (aggregate === 'least') return sum.least
  return aggregate === 'most' ? sum.most : sum.sum
}

/** A value that is not computed keeps its digits. */
function textOf(sum: Sum, aggregate: ChartSettings['aggregate']): string {
  const value = valueOf(sum, aggregate)
  if (value === null) return 'NULL'
  return aggregate !== 'count' && sum.count === 1 ? sum.text : plainNumber(value)
}

/** Rows with the same name are one point, in the order in which their names first appear. */
export function groupsOf(
  entries: readonly ChartEntry[],
  { series, aggregate }: { readonly series: number; readonly aggregate: ChartSettings['aggregate'] },
): ChartGroup[] {
  const groups = new Map<string, { readonly place: number | null; readonly sums: Sum[] }>()
  for (const { label, place, values } of entries) {
    let group = groups.get(label)
    if (!group) groups.set(label, (group = { place, sums: Array.from({ length: series }, nothing) }))
    for (const { series: at, value, text } of values) {
      const sum = group.sums[at]
      if (sum) add(sum, value, text)
    }
  }
  return [...groups].map(([label, { place, sums }]) => ({
    label,
    place,
    values: sums.map((sum) => (sum.rows === 0 ? null : valueOf(sum, aggregate))),
    texts: sums.map((sum) => (sum.rows === 0 ? 'NULL' : textOf(sum, aggregate))),
  }))
}

/** Names with the largest totals, the largest first. */
export function largest(totals: ReadonlyMap<string, number>, most: number): string[] {
  return [...totals]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, most)
    .map(([name]) => name)
}
