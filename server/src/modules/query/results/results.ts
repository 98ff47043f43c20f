import { type Input, LIMITS, readCellFilter, type result } from '@boathouse/contract'
import { AppError } from '../../../kernel/app-error.ts'
import type { Arrangement, CellPart } from '../../../results/reader.ts'
import {
  createResultAccess,
  expired,
  type FoundRow,
  type Looker,
  type ResultAccessParts,
} from './result-access.ts'
import { createResultReading } from './result-reading.ts'
import { createResultRetention, type ResultRetentionParts } from './result-retention.ts'
import type { ResultRoom } from '../../../results/room.ts'
import type { ResultStore } from './result-store.ts'

export interface ResultParts extends ResultAccessParts, ResultRetentionParts {
  readonly store: ResultStore
  readonly room: ResultRoom
}

function requireColumns({ result_columns }: FoundRow, { sort, filters }: Wanted): void {
  const count = Array.isArray(result_columns) ? result_columns.length : 0
  const unknown = [sort, ...filters].find((one) => one !== null && one.column >= count)
  if (unknown)
    throw new AppError('BadInput', `column: There is no column ${unknown.column}; the result has ${count}.`)
}

type Wanted = Pick<Input<typeof result.arrangedRows>, 'sort' | 'filters'>

const arrangementOf = ({ sort, filters }: Wanted): Arrangement => ({
  sort,
  filters: filters.flatMap(({ column, written }) => {
    const filter = readCellFilter(written)
    return filter ? [{ column, filter }] : []
  }),
})

/**
 * Results are objects: named by query id, owned by the user who ran the query, kept for a day within a quota. Others see
 * one while it is shared and they may read what its statement read.
 */
export function createResults(parts: ResultParts) {
  const { find, requireAllowed } = createResultAccess(parts)
  const reading = createResultReading(parts)

  return {
    find,
    reading,
    requireAllowed,
    ...createResultRetention(parts),

    async window(
      { actor, clientIp = null }: Looker,
      queryId: string,
      window: { offset: number; limit: number },
    ) {
      const { expiresAt } = await find(actor, queryId, clientIp)
      const order = { ...window, longestCell: LIMITS.cellLength }
      const read = await reading(actor, queryId, (reader) => reader.read(queryId, order))
      if (!read) throw expired()
      return { ...read, expiresAt: expiresAt.toISOString() }
    },

    async arranged(
      { actor, clientIp = null }: Looker,
      { queryId, offset, limit, ...wanted }: Input<typeof result.arrangedRows>,
    ) {
      const { row, expiresAt } = await find(actor, queryId, clientIp)
      requireColumns(row, wanted)
      const order = { offset, limit, longestCell: LIMITS.cellLength, ...arrangementOf(wanted) }
      const read = await reading(actor, queryId, (reader) => reader.arranged(queryId, order))
      if (!read) throw expired()
      return { ...read, expiresAt: expiresAt.toISOString() }
    },

    async cell({ actor, clientIp = null }: Looker, queryId: string, part: CellPart) {
      await find(actor, queryId, clientIp)
      return reading(actor, queryId, async (reader) => {
        const cell = await reader.cell(queryId, part)
        if (cell) return cell
        if (!(await reader.read(queryId, { offset: 0, limit: 0 }))) throw expired()
        throw new AppError('NotFound', 'There is no such cell in this result.')
      })
    },
  }
}

export type Results = ReturnType<typeof createResults>
