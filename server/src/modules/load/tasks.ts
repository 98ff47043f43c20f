import {
  ACTIONS_OF_LOAD,
  type Input,
  LIMITS,
  type load,
  type LoadColumn,
  type LoadState,
  type LoadTask,
  objectOf,
  type Rejection,
  foldedName,
} from '@boathouse/contract'
import type { UseEngine } from '../../engines/engine/engine.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { jsonText } from '../../store/json-text.ts'
import { type Held, requireShare } from '../../kernel/share.ts'
import type { Authority } from '../access/authority.ts'
import { findCatalog, toldTo } from '../schema/catalogs/catalogs.ts'
import { type KeptInspection, readInspection } from './inspection.ts'
import type { TaskRuns } from './task-runs.ts'
import type { TaskPage, TaskRow, TaskStore } from './task-store.ts'
import { type Uploads, WAITING_MS } from './uploads.ts'

export interface TaskParts {
  readonly store: TaskStore
  readonly uploads: Pick<Uploads, 'own' | 'remove' | 'keepUntil'>
  readonly runs: TaskRuns
  readonly authority: Pick<Authority, 'require' | 'may'>
  readonly useServiceEngine: UseEngine
  readonly warehouses: {
    /** Those this user may use. */
    list(actor: Actor): Promise<readonly { warehouse_id: string; name: string }[]>
  }
  readonly clock: Clock
}

type NewLoad = Input<typeof load.create>

/** A word or a few, with lengths in brackets, and lists of it. The engine decides whether there is such a type. */
const PLAIN_TYPE = /^[A-Za-z][A-Za-z0-9_ ]{0,63}(\(\s*\d+\s*(,\s*\d+\s*)?\))?(\[\d*\])*$/

const noTask = () => new AppError('NotFound', 'There is no such load task, or you may not see it.')
const bad = (message: string) => new AppError('BadInput', message)

/** Everyone sees their own, an account administrator those of all. */
const seesAll = (actor: Actor): boolean => actor.activeRoles.includes('account_admin')

/** Refuses columns that are not those of the file, or that cannot stand in one table. */
function requireColumns(columns: readonly LoadColumn[], inspection: KeptInspection): void {
  const isSame =
    columns.length === inspection.columns.length &&
    columns.every(({ name }, at) => name === inspection.columns[at]?.name)
  if (!isSame) throw bad('columns: They are not those of the file, in its order. Look at the file again.')
  columns.forEach(({ name, type }, at) => {
    if (type !== inspection.columns[at]?.type && !PLAIN_TYPE.test(type))
      throw bad(`columns: The type of ${name} is none. Write one such as BIGINT, VARCHAR or DECIMAL(18,2).`)
  })
  const names = columns.flatMap(({ into }) => (into === null ? [] : [foldedName(into)]))
  if (names.length === 0) throw bad('columns: All are left out. Choose at least one.')
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw bad(`columns: Two go into ${twice}. Give one another name, or leave it out.`)
}

/** Files that are loaded now. */
const requireUnderLimit = (held: Held): void =>
  requireShare(held, {
    mostOfAccount: LIMITS.loadTasksUnderWay,
    mostOfUser: LIMITS.loadTasksUnderWayPerUser,
    what: 'loads under way',
    how: 'Wait for some to end.',
  })

/** WH-46, WH-47: loads of files, from the order to their end. */
export function createTasks(parts: TaskParts) {
  const { store, uploads, runs, authority, useServiceEngine, warehouses, clock } = parts

  function present(row: TaskRow): LoadTask {
    const state = row.state as LoadState
    return {
      taskId: row.task_id,
      state,
      actions: ACTIONS_OF_LOAD[state].filter((action) => action !== 'resume' || row.upload_id !== null),
      user: row.user_name,
      fileName: row.file_name,
      sizeBytes: row.size_bytes,
      catalog: row.catalog,
      databaseName: row.database_name,
      tableName: row.table_name,
      makesTable: row.makes_table,
      warehouse: row.warehouse_name,
      queryId: row.query_id,
      progress: state === 'running' ? runs.progressOf(row.task_id) : null,
      rowsLoaded: row.rows_loaded,
      rowsRejected: row.rows_rejected,
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

  /** Who is not allowed is told before anything is written down; when it runs, it is asked for once more. */
  async function requireRights(actor: Actor, asked: NewLoad & { catalog: string }): Promise<void> {
    const { catalog, databaseName: database, tableName: name, makesTable } = asked
    await authority.require(
      actor,
      makesTable
        ? { privilege: 'CREATE TABLE', object: objectOf('database', { catalog, database }) }
        : { privilege: 'INSERT', object: objectOf('table', { catalog, database, name }) },
    )
  }

  async function warehouseOf(actor: Actor, warehouseId: string) {
    const found = (await warehouses.list(actor)).find(({ warehouse_id }) => warehouse_id === warehouseId)
    if (!found) throw new AppError('NotFound', 'There is no such warehouse, or you may not use it.')
    return found
  }

  async function inspected(actor: Actor, uploadId: string) {
    const upload = await uploads.own(actor, uploadId)
    const inspection = readInspection(upload)
    if (inspection?.state !== 'finished')
      throw new AppError('Conflict', 'This file has not been inspected yet. Preview it first.')
    return { upload, inspection }
  }

  return {
    async create(actor: Actor, input: NewLoad): Promise<LoadTask> {
      const catalog = await useServiceEngine(actor.accountId, async (engine) =>
        findCatalog(engine, input.catalog),
      ).catch(async (error: unknown) => {
        throw await toldTo(actor, error, authority)
      })
      await requireRights(actor, { ...input, catalog })
      const warehouse = await warehouseOf(actor, input.warehouseId)
      const known = await store.find(actor.accountId, input.taskId)
      if (known) return again(actor, input.taskId)
      const { upload, inspection } = await inspected(actor, input.uploadId)
      requireColumns(input.columns, inspection)
      const made = await store.insert(
        {
          task_id: input.taskId,
          account_id: actor.accountId,
          user_id: actor.userId,
          user_name: actor.user,
          upload_id: upload.upload_id,
          file_name: upload.name,
          size_bytes: upload.size_bytes,
          catalog,
          database_name: input.databaseName,
          table_name: input.tableName,
          makes_table: input.makesTable,
          warehouse_id: warehouse.warehouse_id,
          warehouse_name: warehouse.name,
          reading: jsonText(inspection.reading),
          columns: jsonText(input.columns),
          most_rejected: input.mostRejected,
          state: 'queued',
          created_at: clock.now(),
        },
        requireUnderLimit,
      )
      if (made === 'file taken')
        throw new AppError('Conflict', 'Another load task already uses this file. Cancel that load first.')
      await uploads.keepUntil(upload.upload_id, WAITING_MS)
      const row = await find(actor, input.taskId)
      if (made === 'made') runs.start(row)
      return present(row)
    },

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
      if (await store.want(taskId, 'cancelled')) return runs.stop(row)
      const cancelled = await store.change(taskId, 'cancel', { ended_at: clock.now() })
      if (!cancelled) await store.remove(taskId)
      if (upload_id) await uploads.remove({ account_id, upload_id })
    },
  }
}
