import { type Input, readCellFilter, type result } from '@boathouse/contract'
import type { Column } from '../../../engines/engine/columns.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Arrangement } from '../../../results/reader.ts'
import type { FoundRow } from './result-access.ts'

/** As they were written down when the statement ended. */
export const columnsOf = ({ result_columns }: Pick<FoundRow, 'result_columns'>): readonly Column[] =>
  Array.isArray(result_columns) ? (result_columns as unknown[] as Column[]) : []

/** Columns that somebody names by their places. */
export function requireColumns(row: FoundRow, columns: readonly (number | undefined)[]): void {
  const count = columnsOf(row).length
  const unknown = columns.find((column) => column !== undefined && column >= count)
  if (unknown !== undefined)
    throw new AppError('BadInput', `column: There is no column ${unknown}; the result has ${count}.`)
}

type Filters = Input<typeof result.arrangedRows>['filters']

/** Without those that say nothing. */
export const understood = (filters: Filters): Arrangement['filters'] =>
  filters.flatMap(({ column, written }) => {
    const filter = readCellFilter(written)
    return filter ? [{ column, filter }] : []
  })
