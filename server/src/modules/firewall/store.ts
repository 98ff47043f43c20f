import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'

export type RuleRow = Selectable<Schema['firewall_rules']>
export type TrialRow = Omit<Selectable<Schema['firewall_trials']>, 'before'> & {
  readonly before: RuleRow | null
}

/** Changes of one account's rules come one after the other: two at once would both be the last that there is room for. */
export const lockRules = (trx: Transaction<Schema>, accountId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`firewall ${accountId}`}, 0))`.execute(trx)

export const rulesOf = (db: Kysely<Schema>, accountId: string): Promise<RuleRow[]> =>
  db
    .selectFrom('firewall_rules')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy(sql`lower(name)`)
    .execute()

export async function enabledLists(db: Kysely<Schema>, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('firewall_rules')
    .select('addresses')
    .where('account_id', '=', accountId)
    .where('enabled', '=', true)
    .execute()
  return rows.map(({ addresses }) => addresses)
}

/** New, or in place of how it was. */
export const putRule = (trx: Transaction<Schema>, row: RuleRow) =>
  trx
    .insertInto('firewall_rules')
    .values(row)
    .onConflict((conflict) => conflict.column('rule_id').doUpdateSet(row))
    .execute()

export const deleteRule = (trx: Transaction<Schema>, ruleId: string) =>
  trx.deleteFrom('firewall_rules').where('rule_id', '=', ruleId).execute()

export const disableRules = (trx: Transaction<Schema>, accountId: string) =>
  trx
    .updateTable('firewall_rules')
    .set({ enabled: false })
    .where('account_id', '=', accountId)
    .where('enabled', '=', true)
    .execute()

type KeptRule = Omit<RuleRow, 'created_at'> & { readonly created_at: string }

const trials = (db: Kysely<Schema>) =>
  db
    .selectFrom('firewall_trials')
    .select(['account_id', 'rule_id', 'rule_name', 'user_name', 'client_ip', 'ends_at'])
    .select(sql<KeptRule | null>`before`.as('before'))

export async function trialOf(db: Kysely<Schema>, accountId: string): Promise<TrialRow | undefined> {
  const row = await trials(db).where('account_id', '=', accountId).executeTakeFirst()
  return (
    row && { ...row, before: row.before && { ...row.before, created_at: new Date(row.before.created_at) } }
  )
}

export async function accountsWithDueTrials(db: Kysely<Schema>, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('firewall_trials')
    .select('account_id')
    .where('ends_at', '<=', now)
    .orderBy('ends_at')
    .limit(limit)
    .execute()
  return rows.map(({ account_id }) => account_id)
}

export const insertTrial = (trx: Transaction<Schema>, { before, ...trial }: TrialRow) =>
  trx
    .insertInto('firewall_trials')
    .values({ ...trial, before: before && JSON.stringify(before) })
    .execute()

export const deleteTrial = (trx: Transaction<Schema>, accountId: string) =>
  trx.deleteFrom('firewall_trials').where('account_id', '=', accountId).execute()
