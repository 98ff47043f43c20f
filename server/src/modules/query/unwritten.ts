import type { Log } from '../../kernel/log.ts'
import { GatheredEnds } from './gathered-ends.ts'
import { hasLongDetails } from './history/long-texts-store.ts'
import { errorCode } from '../../store/error-code.ts'
import type { ConnectionMove, ConnectionRow } from './sessions/connection-store.ts'
import type { EndedRow } from './statement-writes-store.ts'
import type { StatementRow } from './statement-row.ts'
import type { QueryStore } from './store.ts'

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** Of each kind. What is dropped beyond it is interrupted after the next start. */
const MOST_KEPT = 10_000
/** In one pass: a database that takes nothing is not asked for each of them. */
const MOST_REFUSALS = 20

const withMove = (row: ConnectionRow, { variables, warehouse, ...move }: ConnectionMove): ConnectionRow => ({
  ...row,
  ...move,
  ...(warehouse && {
    warehouse_id: warehouse.id,
    warehouse_name: warehouse.name,
    warehouse_engine: warehouse.engine,
  }),
  ...(variables === undefined ? {} : { variables: JSON.parse(variables) as ConnectionRow['variables'] }),
})

/** One that is refused does not keep those behind it from being tried; the first refusal is thrown in the end. */
async function tryEach<K, V>(kept: Map<K, V>, write: (key: K, value: V) => Promise<void>): Promise<void> {
  const refusals: unknown[] = []
  for (const [key, value] of kept) {
    try {
      await write(key, value)
      if (kept.get(key) === value) kept.delete(key)
    } catch (error) {
      refusals.push(error)
    }
    if (refusals.length >= MOST_REFUSALS) break
  }
  if (refusals.length > 0) throw refusals[0]
}

/** What the database can never hold, as a number out of its range: without its figures, the end is as true. */
const withoutFigures = (end: EndedRow): EndedRow => ({
  ...end,
  row_count: null,
  peak_memory_bytes: null,
  compile_us: null,
  fetch_us: null,
  peak_spill_bytes: null,
  shown_bytes: null,
  profile: null,
  plan: null,
})

const DATA_EXCEPTION = /^22/

/**
 * A store that never refuses how a statement ended and where it left its connection: the statement did what it did,
 * and its user gets that answer. What cannot be written, as on a full disk, is kept here, is given to all who read it, and
 * is written as soon as the database takes it. A server that dies before that reconciles at its next start.
 */
export function keepingUnwritten<S extends QueryStore>(store: S, log: Log) {
  const ends = new Map<string, EndedRow>()
  const moves = new Map<number, ConnectionMove>()
  /** Ends on their way to the database, by their query ids. */
  const underWay = new Map<string, Promise<void>>()
  const gathered = new GatheredEnds((all) => store.endAll(all))
  let pauseMs = FIRST_PAUSE_MS
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined

  async function tryAll(): Promise<void> {
    await tryEach(ends, (_, end) => store.end(end))
    await tryEach(moves, (id, move) => store.moveConnection(id, move))
  }

  async function writeAll(): Promise<void> {
    writing ??= tryAll().finally(() => (writing = undefined))
    await writing
    pauseMs = FIRST_PAUSE_MS
    if (ends.size + moves.size > 0) tryLater()
    else log.info('what could not be written before is written now')
  }

  function tryLater(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      writeAll().catch((error: unknown) => {
        log.warn({ err: error, ends: ends.size, moves: moves.size }, 'the database still takes no writes')
        pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
        tryLater()
      })
    }, pauseMs).unref()
  }

  function keep<K, V>(kept: Map<K, V>, key: K, value: V): void {
    kept.set(key, value)
    const [oldest] = kept.keys()
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
    tryLater()
  }

  const overlaid = (row: ConnectionRow): ConnectionRow => {
    const move = moves.get(row.connection_id)
    return move ? withMove(row, move) : row
  }

  return {
    ...store,

    end(end: EndedRow, mayWait = false): Promise<void> {
      const isGathered = mayWait && !hasLongDetails(end)
      const written = (isGathered ? gathered.add(end).catch(() => store.end(end)) : store.end(end))
        .catch((error: unknown) => {
          if (!DATA_EXCEPTION.test(errorCode(error) ?? '')) throw error
          log.error({ err: error, queryId: end.query_id }, 'figures of a statement cannot be written')
          return store.end(withoutFigures(end))
        })
        .catch((error: unknown) => {
          log.error({ err: error, queryId: end.query_id }, 'the end of a statement cannot be written yet')
          keep(ends, end.query_id, end)
        })
        .finally(() => underWay.delete(end.query_id))
      underWay.set(end.query_id, written)
      return written
    },

    /** Some ends are sent before they are written: await this before you read statements from the database. */
    async endsWritten(queryId?: string): Promise<void> {
      gathered.flush()
      await (queryId === undefined ? Promise.all(underWay.values()) : underWay.get(queryId))
      await store.inHistory(queryId)
    },

    async moveConnection(id: number, change: ConnectionMove): Promise<void> {
      const before = moves.get(id)
      try {
        if (!before) return await store.moveConnection(id, change)
        // In one line with the older one, which must not be written after it.
        moves.set(id, { ...before, ...change })
        await writeAll()
      } catch (error) {
        log.error({ err: error, connectionId: id }, 'the move of a connection cannot be written yet')
        if (!before) keep(moves, id, change)
      }
    },

    async connections(userId: string, ids: readonly number[]): Promise<ConnectionRow[]> {
      return (await store.connections(userId, ids)).map(overlaid)
    },

    async anyConnection(userId: string, id: number): Promise<ConnectionRow | undefined> {
      const row = await store.anyConnection(userId, id)
      return row && overlaid(row)
    },

    async findRequest(accountId: string, requestId: string): Promise<StatementRow[]> {
      const rows = await store.findRequest(accountId, requestId)
      return rows.map((row) => {
        const end = ends.get(row.query_id)
        return end ? { ...row, ...end } : row
      })
    },

    /** Tries once more. */
    async close(): Promise<void> {
      clearTimeout(timer)
      if (ends.size + moves.size === 0) return
      await writeAll().catch((error: unknown) =>
        log.error(
          { err: error, ends: ends.size },
          'ends of statements were not written; the next start tells',
        ),
      )
    },
  }
}
