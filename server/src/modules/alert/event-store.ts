import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'

export type EventRow = Awaited<ReturnType<typeof takeEvents>>[number]

/** The oldest ones; they are gone when the transaction ends, and there again when it does not. */
export const takeEvents = (trx: Transaction<Schema>, limit: number) =>
  trx
    .deleteFrom('alert_events')
    .where(
      'event_id',
      'in',
      trx
        .selectFrom('alert_events')
        .select('event_id')
        .orderBy('event_id')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute()

/** Alone: their counts change with what is delivered. Of schedules, those that something happened to. */
export const lockRules = (trx: Transaction<Schema>, accountId: string, scheduleIds: readonly string[]) =>
  trx
    .selectFrom('alert_rules')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('enabled', '=', true)
    .where(
      sql<boolean>`(schedule_id is null or merged_count > 0
        or schedule_id = any(${sql.val([...scheduleIds])}::uuid[]))`,
    )
    .orderBy('rule_id')
    .forUpdate()
    .execute()

/** Accounts with rules whose hour has passed, and that still have to tell of what was not delivered in it. */
export const accountsToSumUp = async (db: Kysely<Schema>, before: Date, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('alert_rules')
    .select('account_id')
    .distinct()
    .where('merged_count', '>', 0)
    .where('enabled', '=', true)
    .where('hour_started_at', '<=', before)
    .limit(limit)
    .execute()
  return rows.map(({ account_id }) => account_id)
}

interface Counts {
  readonly hour_started_at: Date
  readonly hour_count: number
  readonly merged_count: number
}

export const setCounts = (
  trx: Transaction<Schema>,
  ruleId: string,
  { hour_started_at, hour_count, merged_count }: Counts,
) =>
  trx
    .updateTable('alert_rules')
    .set({ hour_started_at, hour_count, merged_count })
    .where('rule_id', '=', ruleId)
    .execute()

/** Who is mailed by a rule, with the name and place of the account. */
export const mailedBy = (trx: Kysely<Schema>, accountId: string, userIds: readonly string[]) =>
  trx
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.account_id', 'users.account_id')
    .select(['users.user_id', 'users.email', 'accounts.name as account_name', 'accounts.region'])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('user_roles')
            .select('user_roles.user_id')
            .whereRef('user_roles.user_id', '=', 'users.user_id')
            .where('user_roles.role', '=', 'account_admin'),
        )
        .as('is_administrator'),
    )
    .where('users.account_id', '=', accountId)
    .where(sql<boolean>`users.user_id = any(${sql.val([...userIds])}::uuid[])`)
    .where('users.email', 'is not', null)
    .execute()
