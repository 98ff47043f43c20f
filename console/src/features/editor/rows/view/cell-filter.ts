import { type ComparingSign, readCellFilter } from '@boathouse/contract/cell-filter'
import { comparing } from './compare-cells.ts'

export type CellTest = (value: string | null) => boolean

const HOLDS: Readonly<Record<ComparingSign, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
}

/** Whether a value is one of those that somebody wants to see; null when nothing is written. */
export function cellTest(written: string, family: string): CellTest | null {
  const filter = readCellFilter(written)
  if (!filter) return null
  if (filter.kind === 'null') return (value) => (value === null) === filter.isNull
  if (filter.kind === 'compare') {
    const compare = comparing(family)
    return (value) => value !== null && HOLDS[filter.sign](compare(value, filter.operand))
  }
  const wanted = filter.text.toLowerCase()
  return (value) => value !== null && value.toLowerCase().includes(wanted)
}
