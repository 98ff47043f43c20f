import { randomUUID } from 'node:crypto'
import type { Input, resultWork as calls } from '@boathouse/contract'
import type { Caller, Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { createFairQueue, type Share } from '../../../kernel/fair-queue.ts'
import type { ResultReader } from '../../../results/reader.ts'
import { expired } from './result-access.ts'
import { pairedColumns, requireKeys } from './compared-columns.ts'
import { requirePivot } from './pivot-columns.ts'
import { columnsOf, requireColumns, understood } from './result-columns.ts'
import type { Results } from './results.ts'

type Looking = Caller & { readonly actor: Actor }

/** Each takes a reader's threads and some hundred megabytes, at most for 20 s. */
const SHARES: readonly Share[] = [
  { most: 24, of: 'of this account' },
  { most: 8, of: 'of yours' },
]
const WIDTH = { atOnce: 4, ranks: { all: { places: 100, shares: SHARES } } }

/** Longer ones are read in a cell. */
const LONGEST_VALUE = 300

/** Of a pivot, so that a page can show it: columns of values, and rows. */
const MOST_PIVOT_COLUMNS = 40
const MOST_PIVOT_ROWS = 1_000
/** Of each kind of rows that differ. */
const MOST_COMPARED_ROWS = 500
const MOST_COMPARED_CELLS = 20_000

const left = () => new AppError('Cancelled', 'Nobody waits for this any more.')

/** Work over all rows of kept results: few at once, with turns for accounts and users; it ends when its caller goes. */
export function createResultWork({ find, reading }: Pick<Results, 'find' | 'reading'>) {
  const queue = createFairQueue(WIDTH)

  /** The work answers null when a result is not kept. */
  const run = <T>({ actor, gone }: Looking, queryId: string, work: Work<T>): Promise<T> =>
    queue({ rank: 'all', path: [actor.accountId, actor.userId] }, async () => {
      if (gone?.aborted) throw left()
      const found = await reading(actor, queryId, (reader) => unlessLeft(gone, reader, work))
      if (found === null) throw expired()
      return found
    })

  /** What is said of the result beside what was computed. */
  const withRows = <T extends object>(caller: Looking, queryId: string, work: Work<T>) =>
    run(caller, queryId, async (reader, workId) => {
      const found = await work(reader, workId)
      const of = found && (await reader.read(queryId, { offset: 0, limit: 0 }))
      return found && of && { ...found, totalRows: of.totalRows, complete: of.complete }
    })

  return {
    async statistics(caller: Looking, { queryId, column, filters }: Input<typeof calls.columnStatistics>) {
      const { row } = await find(caller.actor, queryId, caller.clientIp)
      requireColumns(row, [column, ...filters.map((filter) => filter.column)])
      const order = { column, filters: understood(filters), longestCell: LONGEST_VALUE }
      return withRows(caller, queryId, (reader, workId) => reader.statistics(queryId, { ...order, workId }))
    },

    async pivot(caller: Looking, { queryId, filters, ...wanted }: Input<typeof calls.pivot>) {
      const { row } = await find(caller.actor, queryId, caller.clientIp)
      requirePivot(row, { ...wanted, filters })
      const mostHeads = Math.max(1, Math.floor(MOST_PIVOT_COLUMNS / wanted.values.length))
      const order = { ...wanted, filters: understood(filters), mostRows: MOST_PIVOT_ROWS, mostHeads }
      return withRows(caller, queryId, (reader, workId) => reader.pivot(queryId, { ...order, workId }))
    },

    async compare(caller: Looking, { queryId, earlierId, keys }: Input<typeof calls.compare>) {
      const { row: here } = await find(caller.actor, queryId, caller.clientIp)
      const { row: earlier } = await find(caller.actor, earlierId, caller.clientIp).catch(ofEarlier)
      const { pairs, ...others } = pairedColumns(columnsOf(here), columnsOf(earlier))
      if (pairs.length === 0)
        throw new AppError('BadInput', 'earlierId: The two results have no column in common.')
      const order = {
        earlierId,
        columns: pairs,
        keys: requireKeys(here, { keys, pairs }),
        mostRows: Math.max(1, Math.min(MOST_COMPARED_ROWS, Math.floor(MOST_COMPARED_CELLS / pairs.length))),
        longestCell: LONGEST_VALUE,
      }
      const found = await run(caller, queryId, (reader, workId) =>
        reader.compare(queryId, { ...order, workId }),
      )
      const complete = [here, earlier].every(({ result_complete }) => result_complete !== false)
      return { ...found, ...others, complete }
    },
  }
}

/** The refusal says which of the two it is about. */
function ofEarlier(error: unknown): never {
  if (!(error instanceof AppError)) throw error
  throw new AppError(error.code, `Of the earlier run: ${error.message}`, { cause: error })
}

type Work<T> = (reader: ResultReader, workId: string) => Promise<T | null>

async function unlessLeft<T>(gone: AbortSignal | undefined, reader: ResultReader, work: Work<T>) {
  const workId = randomUUID()
  const stop = () => void reader.stopWork(workId).catch(() => undefined)
  const done = work(reader, workId)
  gone?.addEventListener('abort', stop)
  try {
    return await done
  } catch (error) {
    throw gone?.aborted ? left() : error
  } finally {
    gone?.removeEventListener('abort', stop)
  }
}

export type WorkOverResults = ReturnType<typeof createResultWork>
