import {
  type Input,
  LIMITS,
  type load,
  type LoadColumn,
  type LoadTask,
  objectOf,
  foldedName,
} from '@boathouse/contract'
import type { FileColumn } from '../../engines/engine/files.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { jsonText } from '../../store/json-text.ts'
import { type Held, requireShare } from '../../kernel/share.ts'
import { findCatalog, toldTo } from '../schema/catalogs/catalogs.ts'
import { type KeptInspection, readInspection } from './inspection.ts'
import type { TaskRow } from './task-store.ts'
import { WAITING_MS } from './uploads.ts'
import type { TaskParts } from './tasks.ts'

type NewLoad = Input<typeof load.create>

/** A word or a few, with lengths in brackets, and lists of it. The engine decides whether there is such a type. */
const PLAIN_TYPE = /^[A-Za-z][A-Za-z0-9_ ]{0,63}(\(\s*\d+\s*(,\s*\d+\s*)?\))?(\[\d*\])*$/

const bad = (message: string) => new AppError('BadInput', message)

/** Refuses columns that the file does not have, or that cannot be in one table. */
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

/** A row is found by the values of its key, which is reading them. */
const NEEDED = {
  append: ['INSERT'],
  replace: ['INSERT', 'DELETE'],
  upsert: ['INSERT', 'UPDATE', 'SELECT'],
} as const

/** Refuses a key where none is used, and one that the file has no values for. */
function requireKeys({ writes, keys, makesTable, columns }: NewLoad): void {
  if (makesTable && writes !== 'append') throw bad(`writes: A new table has no rows to ${writes}.`)
  if (writes !== 'upsert') {
    if (keys.length > 0) throw bad('keys: Only an upsert has a key.')
    return
  }
  if (keys.length === 0) throw bad('keys: Choose at least one column that tells the rows apart.')
  const loaded = new Set(columns.flatMap(({ into }) => (into === null ? [] : [foldedName(into)])))
  const missing = keys.find((key) => !loaded.has(foldedName(key)))
  if (missing !== undefined) throw bad(`keys: No column of the file goes into ${missing}.`)
}

/** A type that somebody has chosen is what it is, and so are those of a table that is there. */
const columnsOf = ({ columns, makesTable }: NewLoad, inspection: KeptInspection): FileColumn[] => {
  const isSample = makesTable && (inspection.sampledBytes ?? null) !== null
  return columns.map((column, at) => ({
    ...column,
    isGuessed: isSample && column.type === inspection.columns[at]?.type,
  }))
}

/** Files that are loaded now. */
export const requireUnderLimit = (held: Held): void =>
  requireShare(held, {
    mostOfAccount: LIMITS.loadTasksUnderWay,
    mostOfUser: LIMITS.loadTasksUnderWayPerUser,
    what: 'loads under way',
    how: 'Wait for some to end.',
  })

/** Creates a load task for a file that has been previewed. */
export function createNewTask(
  parts: TaskParts,
  {
    find,
    present,
  }: { find: (actor: Actor, taskId: string) => Promise<TaskRow>; present: (row: TaskRow) => LoadTask },
) {
  const { store, uploads, runs, authority, useServiceEngine, warehouses, clock } = parts

  /** A missing privilege is refused before anything is stored; it is checked again when the task runs. */
  async function requireRights(actor: Actor, asked: NewLoad & { catalog: string }): Promise<void> {
    const { catalog, databaseName: database, tableName: name, makesTable, writes } = asked
    if (makesTable)
      return authority.require(actor, {
        privilege: 'CREATE TABLE',
        object: objectOf('database', { catalog, database }),
      })
    const object = objectOf('table', { catalog, database, name })
    for (const privilege of NEEDED[writes]) await authority.require(actor, { privilege, object })
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
    await uploads.requireComplete(upload)
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
      if (known) return present(await find(actor, input.taskId))
      const { upload, inspection } = await inspected(actor, input.uploadId)
      requireColumns(input.columns, inspection)
      requireKeys(input)
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
          writes: input.writes,
          keys: input.writes === 'upsert' ? jsonText(input.keys) : null,
          warehouse_id: warehouse.warehouse_id,
          warehouse_name: warehouse.name,
          reading: jsonText(inspection.reading),
          columns: jsonText(columnsOf(input, inspection)),
          most_rejected: input.mostRejected,
          widens: input.widens,
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
  }
}
