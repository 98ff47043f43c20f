import type { DeleteQueryBuilder, DeleteResult, Kysely } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { createAcceptanceStore } from './acceptance-store.ts'
import { createEffectStore } from './effect-store.ts'
import { createLongTextStore, hasLongDetails } from './history/long-texts-store.ts'
import { createMonthStore } from './history/months-store.ts'
import type { Connection } from './sessions/connection.ts'
import { createConnectionStore } from './sessions/connection-store.ts'
import { journalWrites } from './journal-store.ts'
import { StatementJournal } from './statement-journal.ts'
import type { NewStatement, StatementKey } from './statement-row.ts'
import { type EndedRow, statementCatalogId, statementWrites } from './statement-writes-store.ts'

/** How many rows were deleted. */
const deleted = async (deletion: DeleteQueryBuilder<Schema, keyof Schema, DeleteResult>): Promise<number> =>
  Number((await deletion.executeTakeFirstOrThrow()).numDeletedRows)

/** Where a statement runs. */
type StatementPlace = Pick<Connection, 'warehouseId' | 'warehouse' | 'catalog' | 'database'> &
  Pick<NewStatement, 'engine'>

/** Statements and connections, from when they are written to when they are forgotten. */
export function createQueryStore(db: Kysely<Schema>) {
  const writes = statementWrites(db)
  const journal = new StatementJournal({ writes: journalWrites(db), writeEnds: writes.writeEnds })
  const longTexts = createLongTextStore(db)
  const connections = createConnectionStore(db)

  return {
    months: createMonthStore(db),
    ...connections,
    ...createAcceptanceStore(db, writes, journal),
    ...createEffectStore(db),

    /** It runs from now on, in this place. */
    async start({ queryId, acceptedAt }: StatementKey, at: Date, place: StatementPlace): Promise<void> {
      const started = {
        state: 'running' as const,
        started_at: at,
        warehouse_id: place.warehouseId,
        warehouse: place.warehouse,
        engine: place.engine,
        catalog: place.catalog,
        database_name: place.database,
      }
      if (journal.change(queryId, started)) return
      await journal.move(queryId)
      await db
        .updateTable('statements')
        .set({ ...started, catalog_id: statementCatalogId(place.catalog) })
        .where('query_id', '=', queryId)
        .where('accepted_at', '=', acceptedAt)
        .execute()
    },

    /** It is about to run in another engine than was written: only that one will know whether it took effect. */
    async setEngine({ queryId, acceptedAt }: StatementKey, engine: string): Promise<void> {
      if (journal.change(queryId, { engine })) return
      await journal.move(queryId)
      await db
        .updateTable('statements')
        .set({ engine })
        .where('query_id', '=', queryId)
        .where('accepted_at', '=', acceptedAt)
        .execute()
    },

    /** It was thought to run at once, and waits in the queue instead. */
    async wait({ queryId, acceptedAt }: StatementKey): Promise<void> {
      const waiting = { state: 'accepted' as const, started_at: null }
      if (journal.change(queryId, waiting)) return
      await journal.move(queryId)
      await db
        .updateTable('statements')
        .set(waiting)
        .where('query_id', '=', queryId)
        .where('accepted_at', '=', acceptedAt)
        // Stopped in the queue, its end may be written before this.
        .where('state', '=', 'running')
        .execute()
    },

    /** Of statements whose ends are short. After a failure, each can be written again. */
    endAll: (ends: readonly EndedRow[]) => journal.end(ends),

    /** Whether it may be written a moment later, together with others, is for those who keep what is unwritten. */
    async end(end: EndedRow, _mayWait?: boolean): Promise<void> {
      const isLong = hasLongDetails(end)
      // What is kept of a user is counted when a row of the history changes.
      if (isLong) await journal.move(end.query_id)
      await journal.end([end])
      if (isLong) await longTexts.makeRoomFor(end.query_id, end.accepted_at)
    },

    /** Reads are accepted in a journal: await this before you read them from the history. One, or all. */
    inHistory: (queryId?: string): Promise<void> =>
      queryId === undefined ? journal.moveAll() : journal.move(queryId),

    /** A read that runs now keeps its connection. */
    async closeIdleConnections(...idle: Parameters<typeof connections.closeIdleConnections>) {
      await journal.moveAll()
      return connections.closeIdleConnections(...idle)
    },

    /** Those that are in no partition of their own month. */
    forgetStatements: (before: Date, most: number) =>
      deleted(
        db
          .deleteFrom('statements')
          // Stated twice, so that no other months are searched.
          .where('accepted_at', '<', before)
          .where('query_id', 'in', (eb) =>
            eb.selectFrom('statements').select('query_id').where('accepted_at', '<', before).limit(most),
          ),
      ),

    forgetClosedConnections: (before: Date, most: number) =>
      deleted(
        db
          .deleteFrom('connections')
          .where('connection_id', 'in', (eb) =>
            eb
              .selectFrom('connections')
              .select('connection_id')
              .where('closed_at', '<', before)
              .orderBy('closed_at')
              .limit(most),
          ),
      ),
  }
}

export type QueryStore = ReturnType<typeof createQueryStore>
