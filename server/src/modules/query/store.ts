import { type DeleteQueryBuilder, type DeleteResult, type Kysely, type Selectable, sql } from 'kysely'
import { errorCode } from '../../store/error-code.ts'
import type { Schema } from '../../store/schema.ts'
import { AppError } from '../../kernel/app-error.ts'
import { createLongTextStore, hasLongDetails, isLong } from './history/long-texts-store.ts'
import { createMonthStore } from './history/months-store.ts'
import { createConnectionStore } from './sessions/connection-store.ts'
import type { EngineOf } from '../../engines/engine/engine.ts'
import type { Connection } from './sessions/connections.ts'
import { requestRows } from './request-rows-store.ts'
import { acceptInsert, type EndedRow, statementCatalogId, statementWrites } from './statement-writes-store.ts'

const UNIQUE_VIOLATION = '23505'

export type StatementRow = Selectable<Schema['statements']>

export interface NewStatement {
  readonly query_id: string
  readonly account_id: string
  readonly user_id: string
  readonly user_name: string
  /** False: the history does not list it. */
  readonly visible: boolean
  readonly writes: boolean
  readonly connection_id: number
  readonly request_id: string
  readonly statement_index: number
  readonly statement_count: number
  readonly door: string
  readonly client_ip: string | null
  readonly warehouse_id: string | null
  /** Its name at this moment. */
  readonly warehouse: string
  /** The kind of engine that is to run it; null: none is. */
  readonly engine: string | null
  readonly catalog: string
  readonly database_name: string | null
  readonly sql: string
  readonly kind: string
  readonly state: 'accepted' | 'running'
  readonly accepted_at: Date
  readonly started_at: Date | null
}

/** The history lies in months: the id alone would be looked for in each of them. */
export interface StatementKey {
  readonly queryId: string
  readonly acceptedAt: Date
}

/** Where a statement runs. */
type StatementPlace = Pick<Connection, 'warehouseId' | 'warehouse' | 'catalog' | 'database'> &
  Pick<StatementRow, 'engine'>

/** A request is written down. */
export interface Acceptance {
  /** What the database said in the same moment; missing when it could not. */
  readonly identityVersion: number | undefined
}

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

    enginesThatWrote: (since: Date): Promise<EngineOf[]> =>
      db
        .selectFrom('statements')
        .select(['account_id as accountId', 'engine'])
        .distinct()
        .where('writes', '=', true)
        .where('accepted_at', '>=', since)
        .execute(),

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

    /** Of one engine, so that those of another that cannot be asked do not take their places. */
    unknownEffects: async ({ accountId, engine }: EngineOf): Promise<string[]> => {
      const rows = await db
        .selectFrom('statements')
        .select('query_id')
        .where('account_id', '=', accountId)
        .where('engine', 'is not distinct from', engine)
        .where('effect', '=', 'unknown')
        .limit(1000)
        .execute()
      return rows.map((row) => row.query_id)
    },

    /** Of one account, or of all. */
    enginesWithUnknownEffects: (accountId?: string): Promise<EngineOf[]> =>
      db
        .selectFrom('statements')
        .select(['account_id as accountId', 'engine'])
        .distinct()
        .where('effect', '=', 'unknown')
        .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? ''))
        .execute(),

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
