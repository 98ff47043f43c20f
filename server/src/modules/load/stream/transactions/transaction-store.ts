import { type Kysely, sql, type Transaction } from 'kysely'
import type { StreamPart } from '../../../../engines/engine/files.ts'
import { foldedName } from '../../../../kernel/same-name.ts'
import { catalogKeyOf } from '../../../../store/catalog-ids.ts'
import { foldedColumn } from '../../../../store/folded-name.ts'
import type { Schema } from '../../../../store/schema.ts'
import { catalogNow } from '../../task-change-store.ts'
import type { TaskRow } from '../../task-store.ts'
import type { StreamOptions } from '../stream-options.ts'
import { type LabelPlace, type NewStream, rowOf, type StreamEnd } from '../stream-store.ts'
import { createPartStore } from './part-store.ts'
import { lockedAt, lockStaging, type Stage } from './transaction-locks.ts'

export interface NewTransaction extends NewStream {
  readonly expiresAt: Date
  readonly idleSeconds: number | null
  /** That it names when it begins. */
  readonly tables: readonly string[]
}

export interface MostOpen {
  readonly ofUser: number
  readonly ofAccount: number
}

/** A part whose data is stored. */
export interface StagedPart {
  readonly file: string
  readonly table: string
  readonly part: StreamOptions['part']
}

export const partIn = (
  { file, table, part }: StagedPart,
  place: { readonly catalog: string; readonly database: string },
): StreamPart => ({ ...part, file, table: { ...place, name: table }, wholeRows: null })

async function stagedParts(trx: Transaction<Schema>, taskId: string): Promise<StagedPart[] | null> {
  const rows = await trx
    .selectFrom('load_parts')
    .select(['file', 'table_name as table', 'part', 'is_whole'])
    .where('task_id', '=', taskId)
    .orderBy('place')
    .execute()
  if (rows.some(({ is_whole }) => !is_whole)) return null
  return rows.map(({ file, table, part }) => ({ file, table, part: part as StreamOptions['part'] }))
}

/** What a change found: the row with its parts, or why it was not made. */
export type Taken = { readonly row: TaskRow; readonly parts: readonly StagedPart[] } | 'arriving' | 'moved'

/** Transactions of programs, as rows of the load tasks. Every step says at which stage it must find them. */
export function createTransactionStore(db: Kysely<Schema>) {
  /** Moves it on with all its parts; not while one of them arrives. */
  const take = (
    taskId: string,
    stages: readonly Stage[],
    to: { readonly stage: Stage; requestOf(attempt: number): string },
  ): Promise<Taken> =>
    db.transaction().execute(async (trx) => {
      const row = await lockedAt(trx, taskId, stages)
      if (!row) return 'moved'
      const parts = await stagedParts(trx, taskId)
      if (!parts) return 'arriving'
      const change = { stage: to.stage, attempt: row.attempt + 1, request_id: to.requestOf(row.attempt + 1) }
      await trx.updateTable('load_tasks').set(change).where('task_id', '=', taskId).execute()
      return { row: { ...row, ...change }, parts }
    })

  return {
    ...createPartStore(db),

    /** Takes its label; `taken`: another load has it. */
    begin: (one: NewTransaction, most: MostOpen): Promise<number | 'taken' | keyof MostOpen> =>
      db.transaction().execute(async (trx) => {
        await lockStaging(trx, one.accountId)
        const { user, account } = await trx
          .selectFrom('load_tasks')
          .select(sql<number>`count(*)::int`.as('account'))
          .select(sql<number>`count(*) filter (where user_id = ${one.userId})::int`.as('user'))
          .where('account_id', '=', one.accountId)
          .where('stage', 'is not', null)
          .executeTakeFirstOrThrow()
        if (user >= most.ofUser) return 'ofUser'
        if (account >= most.ofAccount) return 'ofAccount'
        const more = {
          stage: 'open',
          tables: [...one.tables],
          expires_at: one.expiresAt,
          idle_seconds: one.idleSeconds,
          active_at: one.at,
        }
        const row = await trx
          .insertInto('load_tasks')
          .values({ ...rowOf(one), ...more })
          .onConflict((conflict) => conflict.doNothing())
          .returning('transaction_id')
          .executeTakeFirst()
        return row?.transaction_id ?? 'taken'
      }),

    /** The newest load with this label, in whatever state. */
    newest: ({ accountId, catalog, database }: LabelPlace, label: string): Promise<TaskRow | undefined> =>
      db
        .selectFrom('load_tasks')
        .selectAll('load_tasks')
        .select(catalogNow())
        .where('account_id', '=', accountId)
        .where(foldedColumn('load_tasks.catalog_id'), '=', catalogKeyOf(accountId, catalog))
        .where(foldedColumn('database_name'), '=', foldedName(database))
        .where('label', '=', label)
        // One that is not over is never older than one that failed.
        .orderBy('transaction_id', 'desc')
        .limit(1)
        .executeTakeFirst(),

    find: (taskId: string): Promise<TaskRow | undefined> =>
      db
        .selectFrom('load_tasks')
        .selectAll('load_tasks')
        .select(catalogNow())
        .where('task_id', '=', taskId)
        .executeTakeFirst(),

    prepare: (taskId: string, requestOf: (attempt: number) => string) =>
      take(taskId, ['open'], { stage: 'preparing', requestOf }),

    commit: (taskId: string, requestOf: (attempt: number) => string) =>
      take(taskId, ['open', 'prepared'], { stage: 'committing', requestOf }),

    async prepared(
      { taskId, counts, queryId }: Pick<StreamEnd, 'taskId' | 'counts' | 'queryId'>,
      { at, expiresAt }: { readonly at: Date; readonly expiresAt: Date },
    ): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('load_tasks')
        .set({
          stage: 'prepared',
          prepared_at: at,
          expires_at: expiresAt,
          query_id: queryId,
          rows_total: counts?.total ?? null,
          rows_loaded: counts?.loaded ?? null,
          rows_rejected: counts?.filtered ?? 0,
          rows_unselected: counts?.unselected ?? null,
        })
        .where('task_id', '=', taskId)
        .where('stage', '=', 'preparing')
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** Its commit took no effect, for sure: it can be committed again. */
    backToPrepared: (taskId: string, error: string) =>
      db
        .updateTable('load_tasks')
        .set({ stage: 'prepared', request_id: null, error })
        .where('task_id', '=', taskId)
        .where('stage', '=', 'committing')
        .where('prepared_at', 'is not', null)
        .execute(),

    /** Over, if it was at one of these stages. Gives the files that nobody needs any more; null: it was not. */
    end: (
      { taskId, state, error, queryId, counts }: Omit<StreamEnd, 'sizeBytes'>,
      at: Date,
      from: readonly Stage[],
    ): Promise<readonly string[] | null> =>
      db.transaction().execute(async (trx) => {
        const row = await lockedAt(trx, taskId, from)
        if (!row) return null
        await trx
          .updateTable('load_tasks')
          .set({
            state,
            stage: null,
            error,
            query_id: queryId ?? row.query_id,
            rows_total: counts?.total ?? null,
            rows_loaded: counts?.loaded ?? null,
            rows_rejected: counts?.filtered ?? 0,
            rows_unselected: counts?.unselected ?? null,
            ended_at: at,
          })
          .where('task_id', '=', taskId)
          .execute()
        const parts = await trx
          .deleteFrom('load_parts')
          .where('task_id', '=', taskId)
          .returning('file')
          .execute()
        return parts.map(({ file }) => file)
      }),

    /** Those that are not over. */
    under: (after: string | null, most: number): Promise<TaskRow[]> => {
      const rows = db
        .selectFrom('load_tasks')
        .selectAll('load_tasks')
        .select(catalogNow())
        .where('stage', 'is not', null)
      return (after === null ? rows : rows.where('task_id', '>', after))
        .orderBy('task_id')
        .limit(most)
        .execute()
    },
  }
}

export type TransactionStore = ReturnType<typeof createTransactionStore>
