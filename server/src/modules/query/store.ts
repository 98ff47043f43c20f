import type { DeleteQueryBuilder, DeleteResult, Kysely } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { createAcceptanceStore } from './acceptance-store.ts'
import { createEffectStore } from './effect-store.ts'
import { createLongTextStore, hasLongDetails } from './history/long-texts-store.ts'
import { createMonthStore } from './history/months-store.ts'
import type { Connection } from './sessions/connection.ts'
import { createConnectionStore } from './sessions/connection-store.ts'
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
  const longTexts = createLongTextStore(db)

  return {
    months: createMonthStore(db),
    ...createConnectionStore(db),
    ...createAcceptanceStore(db, writes),
    ...createEffectStore(db),

    /** It runs from now on, in this place. */
    start: ({ queryId, acceptedAt }: StatementKey, at: Date, place: StatementPlace) =>
      db
        .updateTable('statements')
        .set({
          state: 'running',
          started_at: at,
          warehouse_id: place.warehouseId,
          warehouse: place.warehouse,
          engine: place.engine,
          catalog: place.catalog,
          catalog_id: statementCatalogId(place.catalog),
          database_name: place.database,
        })
        .where('query_id', '=', queryId)
        .where('accepted_at', '=', acceptedAt)
        .execute(),

    /** It is about to run in another engine than was written: only that one will know whether it took effect. */
    setEngine: ({ queryId, acceptedAt }: StatementKey, engine: string) =>
      db
        .updateTable('statements')
        .set({ engine })
        .where('query_id', '=', queryId)
        .where('accepted_at', '=', acceptedAt)
        .execute(),

    /** It was thought to run at once, and waits in the queue instead. */
    wait: ({ queryId, acceptedAt }: StatementKey) =>
      db
        .updateTable('statements')
        .set({ state: 'accepted', started_at: null })
        .where('query_id', '=', queryId)
        .where('accepted_at', '=', acceptedAt)
        // Stopped in the queue, its end may be written before this.
        .where('state', '=', 'running')
        .execute(),

    /** All or none, of statements whose ends are short. */
    endAll: writes.writeEnds,

    /** Whether it may be written a moment later, together with others, is for those who keep what is unwritten. */
    async end(end: EndedRow, _mayWait?: boolean): Promise<void> {
      await writes.writeEnds([end])
      if (hasLongDetails(end)) await longTexts.makeRoomFor(end.query_id, end.accepted_at)
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
