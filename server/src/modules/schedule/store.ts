import { type Insertable, type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely'
import type { Held } from '../../kernel/share.ts'
import { heldBy } from '../../store/held.ts'
import type { Schema } from '../../store/schema.ts'

type Table = Schema['query_schedules']

export type ScheduleRow = Selectable<Table>
export type ListedSchedule = ScheduleRow & { readonly query_name: string; readonly owner: string }

/** With the names of now. One whose query is in the bin is not there, and is there again when that is restored. */
const schedulesIn = (db: Kysely<Schema>) =>
  db
    .selectFrom('query_schedules')
    .innerJoin('editor_tabs', 'editor_tabs.tab_id', 'query_schedules.tab_id')
    .innerJoin('users', 'users.user_id', 'query_schedules.user_id')
    .selectAll('query_schedules')
    .select(['editor_tabs.name as query_name', 'users.name as owner'])
    .where('editor_tabs.deleted_at', 'is', null)

/** Which saved queries run when. */
export function createScheduleStore(db: Kysely<Schema>) {
  return {
    /** Of a user, or with null of everyone in the account, by name. */
    list: (accountId: string, userId: string | null, most: number): Promise<ListedSchedule[]> =>
      schedulesIn(db)
        .where('query_schedules.account_id', '=', accountId)
        .$if(userId !== null, (all) => all.where('query_schedules.user_id', '=', userId ?? ''))
        .orderBy(sql`lower(editor_tabs.name)`)
        .orderBy('query_schedules.schedule_id')
        .limit(most)
        .execute(),

    find: (accountId: string, scheduleId: string): Promise<ListedSchedule | undefined> =>
      schedulesIn(db)
        .where('query_schedules.account_id', '=', accountId)
        .where('query_schedules.schedule_id', '=', scheduleId)
        .executeTakeFirst(),

    byId: (scheduleId: string): Promise<ScheduleRow | undefined> =>
      db.selectFrom('query_schedules').selectAll().where('schedule_id', '=', scheduleId).executeTakeFirst(),

    ofTab: (userId: string, tabId: string): Promise<ListedSchedule | undefined> =>
      schedulesIn(db)
        .where('query_schedules.user_id', '=', userId)
        .where('query_schedules.tab_id', '=', tabId)
        .executeTakeFirst(),

    /** One after the other for an account, so that two at the same moment cannot both be the last that there may be. */
    async countAlone(trx: Transaction<Schema>, accountId: string, userId: string): Promise<Held> {
      const key = `query_schedules ${accountId}`
      await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx)
      return trx
        .selectFrom('query_schedules')
        .select(heldBy(userId))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
    },

    insert: (trx: Transaction<Schema>, row: Insertable<Table>) =>
      trx.insertInto('query_schedules').values(row).execute(),

    lock: (trx: Transaction<Schema>, scheduleId: string): Promise<ScheduleRow | undefined> =>
      trx
        .selectFrom('query_schedules')
        .selectAll()
        .where('schedule_id', '=', scheduleId)
        .forUpdate()
        .executeTakeFirst(),

    lockOfTab: (trx: Transaction<Schema>, userId: string, tabId: string): Promise<ScheduleRow | undefined> =>
      trx
        .selectFrom('query_schedules')
        .selectAll()
        .where('user_id', '=', userId)
        .where('tab_id', '=', tabId)
        .forUpdate()
        .executeTakeFirst(),

    update: (trx: Transaction<Schema>, scheduleId: string, change: Updateable<Table>) =>
      trx.updateTable('query_schedules').set(change).where('schedule_id', '=', scheduleId).execute(),

    delete: (trx: Transaction<Schema>, scheduleId: string) =>
      trx.deleteFrom('query_schedules').where('schedule_id', '=', scheduleId).execute(),

    due: (now: Date, most: number): Promise<ListedSchedule[]> =>
      schedulesIn(db)
        .where('query_schedules.paused', '=', false)
        .where('query_schedules.next_run_at', '<=', now)
        // Accounts in turn: one with many does not hold up the others.
        .orderBy(
          sql`row_number() over (partition by query_schedules.account_id order by query_schedules.next_run_at)`,
        )
        .orderBy('query_schedules.next_run_at')
        .limit(most)
        .execute(),

    /** False when somebody else has it, or it is not due any more. */
    async claim(
      trx: Transaction<Schema>,
      { schedule_id, next_run_at }: Pick<ScheduleRow, 'schedule_id' | 'next_run_at'>,
      next: Date,
    ): Promise<boolean> {
      const claimed = await trx
        .updateTable('query_schedules')
        .set({ next_run_at: next })
        .where('schedule_id', '=', schedule_id)
        .where('paused', '=', false)
        .where('next_run_at', '=', next_run_at)
        .returning('schedule_id')
        .executeTakeFirst()
      return claimed !== undefined
    },
  }
}

export type ScheduleStore = ReturnType<typeof createScheduleStore>
