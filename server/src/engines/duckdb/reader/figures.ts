import { restored, storedType } from '../result-writer/stored-columns.ts'
import { type ArrangedColumn, largeType, numberOf, textOf } from './arranging.ts'

/** What a sum of whole numbers or decimals can hold. */
const LARGEST_SUM = 1e38

/** By which equal values are found. Of texts, whatever their length, 16 bytes are held. */
export function identityOf(arranged: ArrangedColumn): string {
  const { family, isText } = arranged.column
  const isShort = !isText && (family === 'number' || family === 'temporal' || family === 'boolean')
  return isShort ? restored(arranged.column) : `md5_number(${textOf(arranged)})`
}

/** A number as a DOUBLE; NULL where it is infinite or not a number. */
export function finiteOf(arranged: ArrangedColumn): string {
  const value = `CAST(${numberOf(arranged)} AS DOUBLE)`
  return `CASE WHEN isfinite(${value}) THEN ${value} END`
}

/** To the digit where a type can hold it. `most` is what their sum can be at most, not a number where there is none. */
export function sumOf(arranged: ArrangedColumn, most: number): string {
  const { column } = arranged
  const type = storedType(column)
  const scale = type.kind === 'decimal' ? type.scale : 0
  const isExact = (type.kind === 'decimal' && !column.isText) || type.kind === 'integer'
  if (!isExact || !(most < LARGEST_SUM / 10 ** scale)) return `sum(${finiteOf(arranged)})`
  const value = numberOf(arranged)
  return largeType(column) ? `sum(CAST(${value} AS HUGEINT))` : `sum(${value})`
}
