import type { ColumnDetail } from '@boathouse/contract'
import type { Cell } from '../../../engines/engine/rows.ts'

export const numberOf = (cell: Cell | undefined): number | null => (cell == null ? null : Number(cell))

/** The key that a column is part of, as clients of other servers know it. */
export const keyOf = ([, , , key]: readonly Cell[]): string => key ?? ''

/** A row of what an engine says of columns. */
export function columnOf(row: readonly Cell[]): ColumnDetail {
  const [name, type, nullable, , value, length, precision, scale, comment] = row
  return {
    name: name ?? '',
    type: type ?? '',
    nullable: nullable === 'true',
    primaryKey: keyOf(row) === 'PRI',
    default: value ?? null,
    length: numberOf(length),
    precision: numberOf(precision),
    scale: numberOf(scale),
    comment: comment ?? '',
  }
}
