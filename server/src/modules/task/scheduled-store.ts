import type { IntervalUnit } from '@boathouse/sql'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Held } from '../../kernel/share.ts'
import { accountIdOf, catalogIdOf, catalogName } from '../../store/catalog-ids.ts'
import { heldBy } from '../../store/held.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Schema } from '../../store/schema.ts'
import type { BoundName } from '../query/gate/bound-definitions.ts'
import type { ChangedMacro } from './view-store.ts'

export interface ScheduledTask {
  readonly task_id: string
  readonly account_id: string
  readonly name: string
  readonly user_id: string
  readonly catalog: string
  readonly database: string | null
  readonly warehouse_id: string | null
  readonly definition: string
  readonly every_count: number
  readonly every_unit: IntervalUnit
  readonly starts_at: Date
  readonly paused: boolean
  readonly next_run_at: Date
  readonly created_at: Date
}

/** With the name of the catalog in the place of its id. */
const tasksIn = (db: Kysely<Schema>) =>
  db
    .selectFrom('scheduled_tasks')
    .selectAll('scheduled_tasks')
    .select(catalogName('scheduled_tasks', 'catalog').as('catalog'))

const toTask = (row: object): ScheduledTask => row as ScheduledTask

/** Submitted tasks that run from time to time. */
export function createScheduledStore(db: Kysely<Schema>) {
  return {
    /** One after the other for an account, so that two at the same moment cannot both be the last that there may be. */
    async countAlone(trx: Transaction<Schema>, accountId: string, userId: string): Promise<Held> {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`scheduled_tasks ${accountId}`}, 0))`.execute(
        trx,
      )
      return trx
        .selectFrom('scheduled_tasks')
        .select(heldBy(userId))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
    },

    /** False when the name is taken. */
    async insert(trx: Transaction<Schema>, row: ScheduledTask): Promise<boolean> {
      const inserted = await trx
        .insertInto('scheduled_tasks')
        .values({ ...row, catalog: catalogIdOf(row.account_id, row.catalog) })
        .onConflict((conflict) => conflict.doNothing())
        .returning('task_id')
        .executeTakeFirst()
      return inserted !== undefined
    },

    /** Of a user, or with null of everyone in the account, by name. */
    async list(accountId: string, userId: string | null, most: number): Promise<ScheduledTask[]> {
      const rows = await tasksIn(db)
        .where('account_id', '=', accountId)
        .$if(userId !== null, (all) => all.where('user_id', '=', userId ?? ''))
        .orderBy(sql`lower(name)`)
        .limit(most)
        .execute()
      return rows.map(toTask)
    },

    async find(accountId: string, name: string): Promise<ScheduledTask | undefined> {
      const row = await tasksIn(db)
        .where('account_id', '=', accountId)
        .where(sql`lower(name)`, '=', name.toLowerCase())
        .executeTakeFirst()
      return row && toTask(row)
    },

    async pause(
      trx: Transaction<Schema>,
      taskId: string,
      change: Partial<Pick<ScheduledTask, 'paused' | 'next_run_at'>>,
    ): Promise<void> {
      await trx.updateTable('scheduled_tasks').set(change).where('task_id', '=', taskId).execute()
    },

    /** What its statement used when it last ran; null before, and when it was confirmed since. */
    async boundOf(taskId: string): Promise<readonly BoundName[] | null> {
      const row = await db
        .selectFrom('scheduled_tasks')
        .select(sql<BoundName[] | null>`catalog_names_in(bound, '{0}')`.as('bound'))
        .where('task_id', '=', taskId)
        .executeTakeFirst()
      return row?.bound ?? null
    },

    async bind(trx: Transaction<Schema>, taskId: string, bound: readonly BoundName[] | null): Promise<void> {
      const account = accountIdOf('scheduled_tasks')
      const kept = bound && sql<string>`catalog_ids_in(${account}, ${jsonText(bound)}::jsonb, '{0}')`
      await trx.updateTable('scheduled_tasks').set({ bound: kept }).where('task_id', '=', taskId).execute()
    },

    /** Somebody has made a macro: to the tasks of those who trust them it is right as it is. */
    async macroChanged(accountId: string, { macro, userId, mayAll }: ChangedMacro): Promise<void> {
      const catalog = catalogIdOf(accountId, macro.catalog)
      await db
        .updateTable('scheduled_tasks')
        .set({
          bound: sql<string>`coalesce(bound_after_change(bound, ${catalog}, ${macro.database}, ${macro.name},
            ${mayAll}::boolean or user_id = ${userId}), bound)`,
        })
        .where('account_id', '=', accountId)
        .where('bound', 'is not', null)
        .execute()
    },

    async remove(trx: Transaction<Schema>, taskId: string): Promise<void> {
      await trx.deleteFrom('scheduled_tasks').where('task_id', '=', taskId).execute()
    },

    async due(now: Date, most: number): Promise<ScheduledTask[]> {
      const rows = await tasksIn(db)
        .where('paused', '=', false)
        .where('next_run_at', '<=', now)
        // Accounts in turn: one with many does not hold up the others.
        .orderBy(sql`row_number() over (partition by account_id order by next_run_at)`)
        .orderBy('next_run_at')
        .limit(most)
        .execute()
      return rows.map(toTask)
    },

    /** False when somebody else has it, or it is not due any more. */
    async claim(
      trx: Transaction<Schema>,
      { task_id, next_run_at }: ScheduledTask,
      next: Date,
    ): Promise<boolean> {
      const claimed = await trx
        .updateTable('scheduled_tasks')
        .set({ next_run_at: next })
        .where('task_id', '=', task_id)
        .where('paused', '=', false)
        .where('next_run_at', '=', next_run_at)
        .returning('task_id')
        .executeTakeFirst()
      return claimed !== undefined
    },
  }
}

export type ScheduledStore = ReturnType<typeof createScheduledStore>
