import { type DeleteQueryBuilder, type DeleteResult, type Kysely, sql } from 'kysely'
import { errorCode } from '../../store/error-code.ts'
import type { Schema } from '../../store/schema.ts'
import { AppError } from '../../kernel/app-error.ts'
import { createLongTextStore, hasLongDetails, isLong } from './history/long-texts-store.ts'
import { createMonthStore } from './history/months-store.ts'
import { createConnectionStore } from './sessions/connection-store.ts'
import type { Connection } from './sessions/connection.ts'
import { requestRows } from './request-rows-store.ts'
import type { Acceptance, NewStatement, StatementKey } from './statement-row.ts'
import { acceptInsert, type EndedRow, statementCatalogId, statementWrites } from './statement-writes-store.ts'

const UNIQUE_VIOLATION = '23505'

/** How many rows it was. */
const deleted = async (deletion: DeleteQueryBuilder<Schema, keyof Schema, DeleteResult>): Promise<number> =>
  Number((await deletion.executeTakeFirstOrThrow()).numDeletedRows)

/** Whether the request is there under these ids; null when it is not there at all. */
async function isWrittenAs(db: Kysely<Schema>, rows: readonly NewStatement[]): Promise<boolean | null> {
  const [first] = rows
  const [written] = first ? await requestRows(db, first.account_id, first.request_id) : []
  return written ? written.query_id === first?.query_id : null
}

export function createQueryStore(db: Kysely<Schema>) {
  const { acceptOne, writeEnd } = statementWrites(db)
  const longTexts = createLongTextStore(db)

  function insertRows(rows: readonly NewStatement[]) {
    const [first] = rows
    if (!first || !rows.some((row) => isLong(row.sql)))
      return first && rows.length === 1 ? acceptOne(first) : acceptInsert(db, rows).execute()
    const { account_id: accountId, user_id: userId } = first
    return longTexts.within({ accountId, userId }, (trx) => acceptInsert(trx, rows).execute())
  }

  /** Null when it is there already. */
  async function insertNew(rows: readonly NewStatement[]): Promise<Acceptance | null> {
    try {
      const [inserted] = await insertRows(rows)
      return { identityVersion: inserted?.identity_version ?? undefined }
    } catch (error) {
      if (errorCode(error) === UNIQUE_VIOLATION) return null
      throw error
    }
  }

  return {
    months: createMonthStore(db),
    ...createConnectionStore(db),

    /** All or none. Null when the request was written before: the unique index decides, whoever asks. */
    async accept(rows: readonly NewStatement[]): Promise<Acceptance | null> {
      try {
        return await insertNew(rows)
      } catch (error) {
        if (error instanceof AppError) throw error
        // The line may have broken before it was written, or after: then nobody else would ever run it.
        const isWritten = await isWrittenAs(db, rows)
        if (isWritten === null) return insertNew(rows)
        return isWritten ? { identityVersion: undefined } : null
      }
    },

    findRequest: (accountId: string, requestId: string) => requestRows(db, accountId, requestId),

    /** It runs from now on, in this place. */
    start: ({ queryId, acceptedAt }: StatementKey, at: Date, place: Connection) =>
      db
        .updateTable('statements')
        .set({
          state: 'running',
          started_at: at,
          warehouse_id: place.warehouseId,
          warehouse: place.warehouse,
          catalog: place.catalog,
          catalog_id: statementCatalogId(place.catalog),
          database_name: place.database,
        })
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

    async end(end: EndedRow): Promise<void> {
      await writeEnd(end)
      if (hasLongDetails(end)) await longTexts.makeRoomFor(end.query_id, end.accepted_at)
    },

    /** What lies in no month of its own. */
    forgetStatements: (before: Date, most: number) =>
      deleted(
        db
          .deleteFrom('statements')
          // Said twice, so that no other months are looked at.
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

    accountsThatWrote: async (since: Date): Promise<string[]> => {
      const rows = await db
        .selectFrom('statements')
        .select('account_id')
        .distinct()
        .where('writes', '=', true)
        .where('accepted_at', '>=', since)
        .execute()
      return rows.map((row) => row.account_id)
    },

    /**
     * At start nothing runs yet: whatever is unfinished was cut off when the last server died. Of what wrote it is
     * not known yet whether it took effect.
     */
    interruptUnfinished: (at: Date): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const unfinished = trx.selectFrom('statements').where('state', 'in', ['accepted', 'running'])
        // What became of a transaction is told with its COMMIT, and not as lost to the next statement.
        await trx
          .updateTable('connections')
          .set({ in_transaction: false })
          .where(
            'connection_id',
            'in',
            unfinished.select('connection_id').where('state', '=', 'running').where('kind', '=', 'commit'),
          )
          .execute()
        await trx
          .updateTable('statements')
          .set({
            state: 'interrupted',
            ended_at: at,
            effect: sql<
              string | null
            >`case when writes then case when state = 'running' then 'unknown' else 'not taken' end end`,
          })
          .where('state', 'in', ['accepted', 'running'])
          .execute()
      }),

    unknownEffects: async (accountId: string): Promise<string[]> => {
      const rows = await db
        .selectFrom('statements')
        .select('query_id')
        .where('account_id', '=', accountId)
        .where('effect', '=', 'unknown')
        .limit(1000)
        .execute()
      return rows.map((row) => row.query_id)
    },

    accountsWithUnknownEffects: async (): Promise<string[]> => {
      const rows = await db
        .selectFrom('statements')
        .select('account_id')
        .distinct()
        .where('effect', '=', 'unknown')
        .execute()
      return rows.map((row) => row.account_id)
    },

    /** Nobody will ever say it of these: their engine does not remember. */
    leaveUntold: (queryIds: readonly string[]) =>
      db
        .updateTable('statements')
        .set({ effect: null })
        .where('query_id', 'in', [...queryIds])
        .where('effect', '=', 'unknown')
        .execute(),

    /** The truth about a statement that was cut off: what took effect is finished, though nobody was told. */
    settle: (queryId: string, effect: { rowsChanged: number | null } | null) =>
      db
        .updateTable('statements')
        .set(
          effect
            ? { effect: 'taken', state: 'finished', row_count: effect.rowsChanged, error: null }
            : { effect: 'not taken' },
        )
        .where('query_id', '=', queryId)
        .where('effect', '=', 'unknown')
        .execute(),
  }
}

export type QueryStore = ReturnType<typeof createQueryStore>
