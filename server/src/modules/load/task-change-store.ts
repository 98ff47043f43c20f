import { type Kysely, sql, type Transaction, type Updateable } from 'kysely'
import type { LoadState } from '@boathouse/contract'
import type { Held } from '../../kernel/share.ts'
import { catalogIdOf, catalogName } from '../../store/catalog-ids.ts'
import { heldBy } from '../../store/held.ts'
import type { Schema } from '../../store/schema.ts'
import { type LoadEvent, stateAfter, statesBefore } from './states.ts'
import type { TaskRow, NewTask } from './task-store.ts'

export const catalogNow = () => catalogName('load_tasks').as('catalog')

export const UNDER_WAY: readonly LoadState[] = ['queued', 'running']

/** What is under way, with nobody else of the account who begins anything until the transaction ends. */
async function underWay(trx: Transaction<Schema>, accountId: string, userId: string): Promise<Held> {
  return trx
    .selectFrom('load_tasks')
    .select(heldBy(userId))
    .where('account_id', '=', accountId)
    .where('label', 'is', null)
    .where('state', 'in', UNDER_WAY)
    .executeTakeFirstOrThrow()
}

const lockTasks = (trx: Transaction<Schema>, accountId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`load tasks ${accountId}`}, 0))`.execute(trx)

/** Load tasks on their way from state to state. */
export function createTaskChangeStore(db: Kysely<Schema>) {
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
        .where('label', 'is', null)
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

    /** Paused tasks whose file is gone cannot be resumed. */
    failWithoutFile: (error: string, at: Date) =>
      db
        .updateTable('load_tasks')
        .set({ state: stateAfter('file gone'), error, ended_at: at })
        .where('state', 'in', statesBefore('file gone'))
        .where('upload_id', 'is', null)
        .execute(),
  }
}
