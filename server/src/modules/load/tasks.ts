import {
  ACTIONS_OF_LOAD,
  type Input,
  type load,
  type LoadState,
  type LoadTask,
  type LoadWrites,
  type NulledColumn,
  type Rejection,
  type WidenedColumn,
} from '@boathouse/contract'
import type { UseEngine } from '../../engines/engine/engine.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Authority } from '../access/authority.ts'
import { createTaskCancelling } from './task-cancelling.ts'
import type { TaskRuns } from './task-runs.ts'
import type { TaskPage, TaskRow, TaskStore } from './task-store.ts'
import { type Uploads, WAITING_MS } from './uploads.ts'
import { requireUnderLimit, createNewTask } from './new-task.ts'

export interface TaskParts {
  readonly store: TaskStore
  readonly uploads: Pick<Uploads, 'own' | 'requireComplete' | 'remove' | 'keepUntil'>
  readonly runs: TaskRuns
  readonly authority: Pick<Authority, 'require' | 'may'>
  readonly useServiceEngine: UseEngine
  readonly warehouses: {
    /** Those this user may use. */
    list(actor: Actor): Promise<readonly { warehouse_id: string; name: string }[]>
  }
  /** Loads that programs send. */
  readonly streams: {
    progressOf(taskId: string): number | null
    /** Bytes so far; null when it does not run here. */
    receivedOf(taskId: string): number | null
    /** Resolves when it has ended, in whatever way; false when it does not run here. */
    cancel(taskId: string): Promise<boolean>
  }
  readonly clock: Clock
}

const noTask = () => new AppError('NotFound', 'There is no such load task, or you may not see it.')

/** Everyone sees their own, an account administrator those of all. */
export const seesAll = (actor: Actor): boolean => actor.activeRoles.includes('account_admin')

/** Of a load that a program sends, only that program can send the data again, and its label stays. */
const actionsOf = (row: TaskRow, state: LoadState): LoadTask['actions'] =>
  row.label === null
    ? ACTIONS_OF_LOAD[state].filter((action) => action !== 'resume' || row.upload_id !== null)
    : state === 'running'
      ? ['drop']
      : []

/** Loads of files, from their creation to their end. */
export function createTasks(parts: TaskParts) {
  const { store, uploads, runs, streams } = parts
  const cancelling = createTaskCancelling(parts)

  function present(row: TaskRow): LoadTask {
    const state = row.state as LoadState
    return {
      taskId: row.task_id,
      state,
      actions: actionsOf(row, state),
      user: row.user_name,
      fileName: row.file_name,
      sizeBytes: row.size_bytes,
      catalog: row.catalog,
      databaseName: row.database_name,
      tableName: row.table_name,
      makesTable: row.makes_table,
      writes: row.writes as LoadWrites,
      keys: (row.keys as string[] | null) ?? [],
      warehouse: row.warehouse_name,
      queryId: row.query_id,
      progress: state === 'running' ? (row.label === null ? runs : streams).progressOf(row.task_id) : null,
      receivedBytes: state === 'running' && row.label !== null ? streams.receivedOf(row.task_id) : null,
      rowsLoaded: row.rows_loaded,
      rowsRejected: row.rows_rejected,
      widened: (row.widened as WidenedColumn[] | null) ?? [],
      nulled: (row.nulled as NulledColumn[] | null) ?? [],
      error: row.error,
      createdAt: row.created_at.toISOString(),
      endedAt: row.ended_at?.toISOString() ?? null,
    }
  }

  async function find(actor: Actor, taskId: string): Promise<TaskRow> {
    const row = await store.find(actor.accountId, taskId)
    if (!row || (row.user_id !== actor.userId && !seesAll(actor))) throw noTask()
    return row
  }

  const again = async (actor: Actor, taskId: string): Promise<LoadTask> => present(await find(actor, taskId))

  return {
    ...createNewTask(parts, { find, present }),

    async list(actor: Actor, { offset, limit, catalog, databaseName }: Input<typeof load.list>) {
      const filter = {
        accountId: actor.accountId,
        userId: seesAll(actor) ? null : actor.userId,
        catalog,
        databaseName,
      }
      const [rows, total] = await Promise.all([store.list(filter, { offset, limit }), store.count(filter)])
      return { list: rows.map(present), total }
    },

    describe: again,

    async rejections(actor: Actor, taskId: string, page: TaskPage) {
      await find(actor, taskId)
      const [rows, total] = await Promise.all([store.rejections(taskId, page), store.countRejections(taskId)])
      const list: Rejection[] = rows.map(({ column_name, ...row }) => ({ ...row, column: column_name }))
      return { list, total }
    },

    async pause(actor: Actor, taskId: string): Promise<LoadTask> {
      const row = await find(actor, taskId)
      if (!(await store.want(taskId, 'paused')))
        throw new AppError(
          'Conflict',
          `This load is ${row.state}. You can pause a load only while it is queued or running.`,
        )
      await runs.stop(row)
      return again(actor, taskId)
    },

    async resume(actor: Actor, taskId: string): Promise<LoadTask> {
      const row = await find(actor, taskId)
      if (row.upload_id === null)
        throw new AppError(
          'Conflict',
          'The file of this load no longer exists. Upload it again and create another load.',
        )
      const resumed = await store.resume(row, { error: '', ended_at: null, wanted: null }, requireUnderLimit)
      if (!resumed)
        throw new AppError(
          'Conflict',
          `This load is ${row.state}. You can resume a load only after it was paused or has failed.`,
        )
      await uploads.keepUntil(row.upload_id, WAITING_MS)
      runs.start(resumed)
      return again(actor, taskId)
    },

    /** One under way or paused is cancelled and stays in the list; one that is over leaves it. */
    async drop(actor: Actor, taskId: string): Promise<void> {
      const row = await find(actor, taskId)
      const { account_id, upload_id } = row
      if (row.label !== null) return cancelling.cancelStream(row)
      if (await cancelling.cancelFile(row)) return
      await store.remove(taskId)
      if (upload_id) await uploads.remove({ account_id, upload_id })
    },

    /** One that is over stays what it is, and in the list. */
    async cancel(actor: Actor, taskId: string): Promise<void> {
      const row = await find(actor, taskId)
      await cancelling.cancel(row)
    },
  }
}

export type Tasks = ReturnType<typeof createTasks>
