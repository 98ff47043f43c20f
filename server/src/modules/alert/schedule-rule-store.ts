import { type Insertable, type Kysely, sql, type Transaction, type Updateable } from 'kysely'
import type { Schema } from '../../store/schema.ts'

/** Rules of schedules, one each. */
export function createScheduleRuleStore(db: Kysely<Schema>) {
  return {
    /** With the names of users of now. */
    of: (scheduleIds: readonly string[]) =>
      db
        .selectFrom('alert_rules')
        .select([
          'schedule_id',
          'url',
          sql<string[]>`array(select users.name from users
            where users.user_id = any(alert_rules.user_ids) and users.account_id = alert_rules.account_id
            order by users.name)`.as('users'),
        ])
        .where(sql<boolean>`schedule_id = any(${sql.val([...scheduleIds])}::uuid[])`)
        .execute(),

    lock: (trx: Transaction<Schema>, scheduleId: string) =>
      trx
        .selectFrom('alert_rules')
        .selectAll()
        .where('schedule_id', '=', scheduleId)
        .forUpdate()
        .executeTakeFirst(),

    insert: (trx: Transaction<Schema>, row: Insertable<Schema['alert_rules']>) =>
      trx.insertInto('alert_rules').values(row).execute(),

    update: (trx: Transaction<Schema>, ruleId: string, change: Updateable<Schema['alert_rules']>) =>
      trx.updateTable('alert_rules').set(change).where('rule_id', '=', ruleId).execute(),

    /** To webhooks, of these runs. */
    deliveriesOf: (runIds: readonly string[]) =>
      db
        .selectFrom('alert_deliveries')
        .select(['run_id', 'delivery_id', 'state', 'attempts', 'next_attempt_at', 'error'])
        .where(sql<boolean>`run_id = any(${sql.val([...runIds])}::uuid[])`)
        .where('state', '!=', 'mailed')
        .execute(),

    /** Of these names, those that there are. */
    usersNamed: (trx: Transaction<Schema>, accountId: string, names: readonly string[]) =>
      trx
        .selectFrom('users')
        .select(['user_id', 'name'])
        .where('account_id', '=', accountId)
        .where(sql<boolean>`lower(name) = any(${sql.val(names.map((name) => name.toLowerCase()))}::text[])`)
        .execute(),
  }
}
