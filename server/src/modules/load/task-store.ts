import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import { catalogKeyOf } from '../../store/catalog-ids.ts'
import { foldedColumn } from '../../store/folded-name.ts'
import type { Schema } from '../../store/schema.ts'
import { createRejectionStore } from './rejection-store.ts'
import { catalogNow, UNDER_WAY, createTaskChangeStore } from './task-change-store.ts'

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
    ...createTaskChangeStore(db),
    ...createRejectionStore(db),

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

    /** Tasks of a server that has ended, and those whose outcome is unknown. */
    underWay: (most: number) =>
      db
        .selectFrom('load_tasks')
        .selectAll('load_tasks')
        .select(catalogNow())
        .where('label', 'is', null)
        .where('state', 'in', UNDER_WAY)
        .orderBy('created_at')
        .limit(most)
        .execute(),

    remove: (taskId: string) => db.deleteFrom('load_tasks').where('task_id', '=', taskId).execute(),

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
