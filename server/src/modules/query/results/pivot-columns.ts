import type { Input, resultWork } from '@boathouse/contract'
import { AppError } from '../../../kernel/app-error.ts'
import type { FoundRow } from './result-access.ts'
import { columnsOf, requireColumns } from './result-columns.ts'

type Wanted = Omit<Input<typeof resultWork.pivot>, 'queryId'>

/** That the columns are there, and that their values can become what is wanted. */
export function requirePivot(row: FoundRow, { rows, columns, values, filters, sort }: Wanted): void {
  const named = [...rows, ...columns]
  requireColumns(row, [
    ...named,
    ...values.map(({ column }) => column ?? undefined),
    ...filters.map(({ column }) => column),
  ])
  if (new Set(named).size < named.length)
    throw new AppError('BadInput', 'rows: A column can be used once, in rows or in columns.')
  if (sort.value !== null && sort.value >= values.length)
    throw new AppError('BadInput', `sort: There is no value ${sort.value}; the pivot has ${values.length}.`)
  const all = columnsOf(row)
  for (const { column, aggregate } of values) {
    if (column === null && aggregate !== 'count')
      throw new AppError('BadInput', `values: Choose a column for ${aggregate}.`)
    const known = column === null ? undefined : all[column]
    if (known && known.family !== 'number' && (aggregate === 'sum' || aggregate === 'average'))
      throw new AppError(
        'BadInput',
        `values: ${known.name} has no numbers: choose count, distinct, least or most.`,
      )
  }
}
