import type { ColumnDetail } from '@boathouse/contract'
import type { Cell } from '../../engines/engine.ts'

export const numberOf = (cell: Cell | undefined): number | null => (cell == null ? null : Number(cell))

/** A row of what an engine says of columns. */
export function columnOf(row: readonly Cell[]): ColumnDetail {
  const [name, type, nullable, primaryKey, value, length, precision, scale, comment] = row
  return {
    name: name ?? '',
    type: type ?? '',
    nullable: nullable === 'true',
    primaryKey: primaryKey === 'true',
    default: value ?? null,
    length: numberOf(length),
    precision: numberOf(precision),
    scale: numberOf(scale),
    comment: comment ?? '',
  }
}
