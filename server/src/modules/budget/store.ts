import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { ccuOfSize } from '../warehouse/billed-usage-store.ts'

export type BudgetRow = Selectable<Schema['budgets']>

/** With what was spent of it, in units, and the names of what it is about. */
export interface SpentBudget extends BudgetRow {
  readonly spent_units: string
  readonly account_name: string | null
  readonly warehouse_name: string | null
}

export interface Month {
  readonly from: Date
  readonly until: Date
}

const ofBudget = sql`any(array(
  select accounts.account_id from accounts
  where accounts.organisation_id = budgets.organisation_id
    and (budgets.account_id is null or accounts.account_id = budgets.account_id)))`

/** The sum of what each budget is about; by the indexes on account and hour. Storage is of no warehouse. */
const spent = ({ from, until }: Month) => sql<string>`((
  select coalesce(sum(used.seconds * ${ccuOfSize(sql`used.size`)} * used.usd_per_ccu * 1000000), 0)
  from warehouse_usage used
  where used.account_id = ${ofBudget}
    and used.hour >= ${from} and used.hour < ${until}
    and (budgets.warehouse_id is null or used.warehouse_id = budgets.warehouse_id)
) + (
  select coalesce(sum(kept.units), 0)
  from storage_usage kept
  where budgets.warehouse_id is null and kept.account_id = ${ofBudget}
    and kept.hour >= ${from} and kept.hour < ${until}
))::numeric(30)::text`

const withSpent = (db: Kysely<Schema>, month: Month) =>
  db
    .selectFrom('budgets')
    .leftJoin('accounts', 'accounts.account_id', 'budgets.account_id')
    .leftJoin('warehouses', 'warehouses.warehouse_id', 'budgets.warehouse_id')
    .selectAll('budgets')
    .select(['accounts.name as account_name', 'warehouses.name as warehouse_name'])
    .select(spent(month).as('spent_units'))

export const organisationOf = (db: Kysely<Schema>, accountId: string) =>
  db
    .selectFrom('accounts')
    .innerJoin('organisations', 'organisations.organisation_id', 'accounts.organisation_id')
    .select(['organisations.organisation_id', 'organisations.root_account_id'])
    .where('accounts.account_id', '=', accountId)
    .executeTakeFirstOrThrow()

/** Those set in an account, and those set for it elsewhere: what the organisation spends is not everyone's to know. */
export const budgetsSeenIn = (
  db: Kysely<Schema>,
  { accountId, organisationId, limit }: { accountId: string; organisationId: string; limit: number },
  month: Month,
): Promise<SpentBudget[]> =>
  withSpent(db, month)
    .where('budgets.organisation_id', '=', organisationId)
    .where(({ eb, or }) =>
      or([eb('budgets.owner_account_id', '=', accountId), eb('budgets.account_id', '=', accountId)]),
    )
    .orderBy(sql`budgets.account_id is not null`)
    .orderBy(sql`budgets.warehouse_id is not null`)
    .orderBy('accounts.name')
    .orderBy('warehouses.name')
    .orderBy('budgets.created_at')
    .orderBy('budgets.budget_id')
    .limit(limit)
    .execute()

/** Those that end something when they are used up, of one warehouse. */
export const limitsOf = (
  db: Kysely<Schema>,
  { accountId, warehouseId }: { accountId: string; warehouseId: string },
  month: Month,
): Promise<SpentBudget[]> =>
  withSpent(db, month)
    .where('budgets.action', '<>', 'warn')
    .where('budgets.organisation_id', '=', (eb) =>
      eb
        .selectFrom('accounts')
        .select('accounts.organisation_id')
        .where('accounts.account_id', '=', accountId),
    )
    .where(({ eb, or }) =>
      or([eb('budgets.account_id', 'is', null), eb('budgets.account_id', '=', accountId)]),
    )
    .where(({ eb, or }) =>
      or([eb('budgets.warehouse_id', 'is', null), eb('budgets.warehouse_id', '=', warehouseId)]),
    )
    .execute()

export const hasLimits = async (db: Kysely<Schema>, accountId: string): Promise<boolean> =>
  (await db
    .selectFrom('budgets')
    .innerJoin('accounts', 'accounts.organisation_id', 'budgets.organisation_id')
    .select('budget_id')
    .where('accounts.account_id', '=', accountId)
    .where('budgets.action', '<>', 'warn')
    .where(({ eb, or }) =>
      or([eb('budgets.account_id', 'is', null), eb('budgets.account_id', '=', accountId)]),
    )
    .limit(1)
    .executeTakeFirst()) !== undefined

/** The next ones after an id, in the order of their ids. */
export const nextBudgets = (
  db: Kysely<Schema>,
  { after, limit }: { after: string | null; limit: number },
  month: Month,
): Promise<SpentBudget[]> =>
  withSpent(db, month)
    .$if(after !== null, (query) => query.where('budgets.budget_id', '>', after ?? ''))
    .orderBy('budgets.budget_id')
    .limit(limit)
    .execute()

export const findBudget = (
  db: Kysely<Schema>,
  { owner, accountId, warehouseId }: { owner: string; accountId: string | null; warehouseId: string | null },
) =>
  db
    .selectFrom('budgets')
    .selectAll()
    .where('owner_account_id', '=', owner)
    .where('account_id', 'is not distinct from', accountId)
    .where('warehouse_id', 'is not distinct from', warehouseId)
    .forUpdate()
    .executeTakeFirst()

/** The account's row is locked: so many at once are counted one after the other. */
export async function countBudgets(trx: Transaction<Schema>, owner: string): Promise<number> {
  await trx.selectFrom('accounts').select('account_id').where('account_id', '=', owner).forUpdate().execute()
  const { count } = await trx
    .selectFrom('budgets')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner_account_id', '=', owner)
    .executeTakeFirstOrThrow()
  return count
}

export const putBudget = (trx: Transaction<Schema>, row: Insertable<Schema['budgets']>) =>
  trx
    .insertInto('budgets')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['owner_account_id', 'account_id', 'warehouse_id']).doUpdateSet({
        micro_usd: row.micro_usd,
        warn_percent: row.warn_percent,
        action: row.action,
        warned_month: null,
        reached_month: null,
      }),
    )
    .returning('budget_id')
    .executeTakeFirstOrThrow()

export const deleteBudget = (trx: Transaction<Schema>, owner: string, budgetId: string) =>
  trx
    .deleteFrom('budgets')
    .where('budget_id', '=', budgetId)
    .where('owner_account_id', '=', owner)
    .returningAll()
    .executeTakeFirst()

/** False when another server has notified, or the budget was changed since. */
export const markNotified = async (
  trx: Transaction<Schema>,
  { budget_id, micro_usd, warn_percent }: BudgetRow,
  months: { warned_month: string; reached_month?: string },
): Promise<boolean> =>
  (await trx
    .updateTable('budgets')
    .set(months)
    .where('budget_id', '=', budget_id)
    .where('micro_usd', '=', micro_usd)
    .where('warn_percent', '=', warn_percent)
    .where(
      months.reached_month ? 'reached_month' : 'warned_month',
      'is distinct from',
      months.reached_month ?? months.warned_month,
    )
    .returning('budget_id')
    .executeTakeFirst()) !== undefined

/** Who reads of budgets that were set in an account: its administrators. */
export const readersOf = (db: Kysely<Schema>, accountId: string, limit: number) =>
  db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.account_id', 'users.account_id')
    .select(['users.user_id', 'users.name', 'users.email', 'accounts.name as account_name'])
    .where('users.account_id', '=', accountId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('user_roles')
          .select('user_roles.role')
          .whereRef('user_roles.user_id', '=', 'users.user_id')
          .where('user_roles.role', '=', 'account_admin'),
      ),
    )
    .orderBy('users.created_at')
    .orderBy('users.user_id')
    .limit(limit)
    .execute()

export const findAccount = (db: Kysely<Schema>, organisationId: string, accountId: string) =>
  db
    .selectFrom('accounts')
    .select(['account_id', 'name'])
    .where('organisation_id', '=', organisationId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()

export const findWarehouse = (db: Kysely<Schema>, accountId: string, warehouseId: string) =>
  db
    .selectFrom('warehouses')
    .select('warehouse_id')
    .where('account_id', '=', accountId)
    .where('warehouse_id', '=', warehouseId)
    .executeTakeFirst()

export const accountIdsOf = async (db: Kysely<Schema>, organisationId: string): Promise<string[]> =>
  (
    await db
      .selectFrom('accounts')
      .select('account_id')
      .where('organisation_id', '=', organisationId)
      .execute()
  ).map((row) => row.account_id)
