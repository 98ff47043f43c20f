import { type Insertable, type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely'
import type { LoadState } from '@boathouse/contract'
import type { Rejection } from '../../engines/engine/files.ts'
import type { Held } from '../../kernel/share.ts'
import { catalogIdOf, catalogKeyOf, catalogName } from '../../store/catalog-ids.ts'
import { foldedColumn } from '../../store/folded-name.ts'
import { heldBy } from '../../store/held.ts'
import type { Schema } from '../../store/schema.ts'
import { type LoadEvent, stateAfter, statesBefore } from './states.ts'

interface Named {
  /** As it is called now. */
  readonly catalog: string
}

export type TaskRow = Selectable<Schema['load_tasks']> & Named
export type NewTask = Omit<Insertable<Schema['load_tasks']>, 'catalog_id'> & Named

export interface TaskFilter {
  readonly accountId: string
  /** Null: of everyone. */
  readonly userId: string | null
  readonly catalog?: string | undefined
  readonly databaseName?: string | undefined
}

export interface TaskPage {
  readonly offset: number
  readonly limit: number
}

const catalogNow = () => catalogName('load_tasks').as('catalog')

const UNDER_WAY: readonly LoadState[] = ['queued', 'running']

/** What is under way, with nobody else of the account who begins anything until the transaction ends. */
async function underWay(trx: Transaction<Schema>, accountId: string, userId: string): Promise<Held> {
  return trx
    .selectFrom('load_tasks')
    .select(heldBy(userId))
    .where('account_id', '=', accountId)
    .where('state', 'in', UNDER_WAY)
    .executeTakeFirstOrThrow()
}
const lockTasks = (trx: Transaction<Schema>, accountId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`load tasks ${accountId}`}, 0))`.execute(trx)

export function createTaskStore(db: Kysely<Schema>) {
  const tasksOf = ({ accountId, userId, catalog, databaseName }: TaskFilter) => {
    let query = db.selectFrom('load_tasks').where('account_id', '=', accountId)
    if (userId !== null) query = query.where('user_id', '=', userId)
    if (catalog !== undefined)
      query = query.where(foldedColumn('load_tasks.catalog_id'), '=', catalogKeyOf(accountId, catalog))
    if (databaseName !== undefined) query = query.where('database_name', '=', databaseName)
    return query
  }

  return {
    /** Once, and only when `requireRoom` does not throw for what is under way; says which of these it was. */
    insert: (
      { catalog, ...row }: NewTask,
      requireUnderLimit: (held: Held) => void,
    ): Promise<'made' | 'there' | 'file taken'> =>
      db.transaction().execute(async (trx) => {
        await lockTasks(trx, row.account_id)
        const there = await trx
          .selectFrom('load_tasks')
          .select('task_id')
          .where('task_id', '=', row.task_id)
          .executeTakeFirst()
        if (there) return 'there'
        requireUnderLimit(await underWay(trx, row.account_id, row.user_id))
        const taken = await trx
          .selectFrom('load_tasks')
          .select('task_id')
          .where('upload_id', '=', row.upload_id ?? null)
          .where('state', 'in', [...UNDER_WAY, 'paused'])
          .executeTakeFirst()
        if (taken) return 'file taken'
        await trx
          .insertInto('load_tasks')
          .values({ ...row, catalog_id: catalogIdOf(row.account_id, catalog) })
          .execute()
        return 'made'
      }),

    find: (accountId: string, taskId: string) =>
      db
        .selectFrom('load_tasks')
        .selectAll('load_tasks')
        .select(catalogNow())
        .where('account_id', '=', accountId)
        .where('task_id', '=', taskId)
        .executeTakeFirst(),

    list: (filter: TaskFilter, { offset, limit }: TaskPage) =>
      tasksOf(filter)
        .selectAll('load_tasks')
        .select(catalogNow())
        .orderBy('created_at', 'desc')
        .orderBy('task_id')
        .offset(offset)
        .limit(limit)
        .execute(),

    async count(filter: TaskFilter): Promise<number> {
      const { tasks } = await tasksOf(filter)
        .select(sql<number>`count(*)::int`.as('tasks'))
        .executeTakeFirstOrThrow()
      return tasks
    },

    /** Undefined when it is in a state that knows no such event. */
    change: (taskId: string, event: LoadEvent, also: Updateable<Schema['load_tasks']> = {}) =>
      db
        .updateTable('load_tasks')
        .set({ ...also, state: stateAfter(event) })
        .where('task_id', '=', taskId)
        .where('state', 'in', statesBefore(event))
        .returningAll()
        .returning(catalogNow())
        .executeTakeFirst(),

    /** The same as a change to be under way again, within what the account and its owner may have. */
    resume: (
      row: Pick<TaskRow, 'task_id' | 'account_id' | 'user_id'>,
      also: Updateable<Schema['load_tasks']>,
      requireUnderLimit: (held: Held) => void,
    ) =>
      db.transaction().execute(async (trx) => {
        await lockTasks(trx, row.account_id)
        requireUnderLimit(await underWay(trx, row.account_id, row.user_id))
        return trx
          .updateTable('load_tasks')
          .set({ ...also, state: stateAfter('resume') })
          .where('task_id', '=', row.task_id)
          .where('state', 'in', statesBefore('resume'))
          .returningAll()
          .returning(catalogNow())
          .executeTakeFirst()
      }),

    /** What its run is to become when it has stopped. False when none is under way. */
    async want(taskId: string, wanted: 'paused' | 'cancelled'): Promise<boolean> {
      const row = await db
        .updateTable('load_tasks')
        .set({ wanted })
        .where('task_id', '=', taskId)
        .where('state', 'in', UNDER_WAY)
        .returning('task_id')
        .executeTakeFirst()
      return row !== undefined
    },

    async nextAttempt(taskId: string): Promise<number> {
      const { attempt } = await db
        .updateTable('load_tasks')
        .set({ attempt: sql`attempt + 1` })
        .where('task_id', '=', taskId)
        .returning('attempt')
        .executeTakeFirstOrThrow()
      return attempt
    },

    /** Those of a server that has ended, and those that wait to be told what became of them. */
    underWay: (most: number) =>
      db
        .selectFrom('load_tasks')
        .selectAll('load_tasks')
        .select(catalogNow())
        .where('state', 'in', UNDER_WAY)
        .orderBy('created_at')
        .limit(most)
        .execute(),

    keepRejections: (taskId: string, rejected: readonly Rejection[]) =>
      db.transaction().execute(async (trx) => {
        await trx.deleteFrom('load_rejections').where('task_id', '=', taskId).execute()
        if (rejected.length === 0) return
        const rows = rejected.map(({ line, column, reason, text }, place) => ({
          task_id: taskId,
          place,
          line,
          column_name: column,
          reason,
          text,
        }))
        await trx.insertInto('load_rejections').values(rows).execute()
      }),

    rejections: (taskId: string, { offset, limit }: TaskPage) =>
      db
        .selectFrom('load_rejections')
        .select(['line', 'column_name', 'reason', 'text'])
        .where('task_id', '=', taskId)
        .orderBy('place')
        .offset(offset)
        .limit(limit)
        .execute(),

    async countRejections(taskId: string): Promise<number> {
      const { rows } = await db
        .selectFrom('load_rejections')
        .select(sql<number>`count(*)::int`.as('rows'))
        .where('task_id', '=', taskId)
        .executeTakeFirstOrThrow()
      return rows
    },

    remove: (taskId: string) => db.deleteFrom('load_tasks').where('task_id', '=', taskId).execute(),

    /** Paused ones whose file is gone cannot go on. */
    failWithoutFile: (error: string, at: Date) =>
      db
        .updateTable('load_tasks')
        .set({ state: stateAfter('file gone'), error, ended_at: at })
        .where('state', 'in', statesBefore('file gone'))
        .where('upload_id', 'is', null)
        .execute(),

    async forget(endedBefore: Date, most: number): Promise<number> {
      const { numAffectedRows } = await sql`
        delete from load_tasks where task_id in (
          select task_id from load_tasks where ended_at < ${endedBefore} limit ${most}
        )`.execute(db)
      return Number(numAffectedRows ?? 0)
    },
  }
}

export type TaskStore = ReturnType<typeof createTaskStore>
