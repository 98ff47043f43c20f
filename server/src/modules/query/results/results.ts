import { type Input, LIMITS, type result } from '@boathouse/contract'
import { AppError } from '../../../kernel/app-error.ts'
import type { Arrangement, CellPart } from '../../../results/reader.ts'
import { createResultAccess, expired, type Looker, type ResultAccessParts } from './result-access.ts'
import { requireColumns, understood } from './result-columns.ts'
import { createResultReading } from './result-reading.ts'
import { createResultRetention, type ResultRetentionParts } from './result-retention.ts'
import type { ResultRoom } from '../../../results/room.ts'
import type { ResultStore } from './result-store.ts'

export interface ResultParts extends ResultAccessParts, ResultRetentionParts {
  readonly store: ResultStore
  readonly room: ResultRoom
}

type Wanted = Pick<Input<typeof result.arrangedRows>, 'sort' | 'filters'>

/** So that one answer is never too large. */
interface MostRead {
  readonly rows: number
  readonly cells: number
  readonly cellLength: number
}

const arrangementOf = ({ sort, filters }: Wanted): Arrangement => ({ sort, filters: understood(filters) })

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

    /** The first rows, as many as fit into so many cells. */
    async head({ actor, clientIp = null }: Looker, queryId: string, most: MostRead) {
      const { row } = await find(actor, queryId, clientIp)
      const columns = Array.isArray(row.result_columns) ? row.result_columns.length : 1
      const limit = Math.min(most.rows, Math.max(1, Math.floor(most.cells / Math.max(1, columns))))
      const order = { offset: 0, limit, longestCell: most.cellLength }
      const read = await reading(actor, queryId, (reader) => reader.read(queryId, order))
      if (!read) throw expired()
      return read
    },

    async arranged(
      { actor, clientIp = null }: Looker,
      { queryId, offset, limit, ...wanted }: Input<typeof result.arrangedRows>,
    ) {
      const { row, expiresAt } = await find(actor, queryId, clientIp)
      requireColumns(row, [wanted.sort?.column, ...wanted.filters.map(({ column }) => column)])
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
