import type { Kysely, Transaction } from 'kysely'
import type { StreamPart } from '../../../../engines/engine/files.ts'
import type { Schema } from '../../../../store/schema.ts'
import type { TaskRow } from '../../task-store.ts'
import type { StreamOptions } from '../stream-options.ts'
import type { StreamEnd } from '../stream-store.ts'
import { createPartStore } from './part-store.ts'
import { createTransactionBeginnings } from './transaction-beginning-store.ts'
import { lockedAt, type Stage } from './transaction-lock-store.ts'
import { createTransactionLookups } from './transaction-lookup-store.ts'

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
    ...createTransactionLookups(db),
    ...createTransactionBeginnings(db),

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
  }
}

export type TransactionStore = ReturnType<typeof createTransactionStore>
