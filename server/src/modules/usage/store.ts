import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { ccuOfSize } from '../warehouse/billed-usage-store.ts'

/** Hours of some accounts, from one moment until before another. */
export interface Span {
  readonly accountIds: readonly string[]
  readonly from: Date
  readonly until: Date
}

const within = (db: Kysely<Schema>, { accountIds, from, until }: Span) =>
  db
    .selectFrom('warehouse_usage as used')
    .where('used.account_id', 'in', [...accountIds])
    .where('used.hour', '>=', from)
    .where('used.hour', '<', until)

const day = sql<string>`to_char(used.hour at time zone 'UTC', 'YYYY-MM-DD')`
const seconds = sql<number>`sum(used.seconds)::bigint`
const warehouseName = sql<string>`coalesce((select warehouse_name from warehouse_runs runs
  where runs.warehouse_id = used.warehouse_id order by started_at desc limit 1), '')`

/** Sums by size and price: what they cost is worked out by whoever asks, once. */
export function createUsageSums(db: Kysely<Schema>) {
  return {
    organisationOf: (accountId: string) =>
      db
        .selectFrom('accounts')
        .innerJoin('organisations', 'organisations.organisation_id', 'accounts.organisation_id')
        .select(['organisations.organisation_id', 'organisations.root_account_id'])
        .where('accounts.account_id', '=', accountId)
        .executeTakeFirstOrThrow(),

    accountsOf: (organisationId: string) =>
      db
        .selectFrom('accounts')
        .select(['account_id', 'name'])
        .where('organisation_id', '=', organisationId)
        .orderBy('name')
        .execute(),

    total: (span: Span) =>
      within(db, span)
        .select(['used.size', 'used.usd_per_ccu', seconds.as('seconds')])
        .groupBy(['used.size', 'used.usd_per_ccu'])
        .execute(),

    byDay: (span: Span) =>
      within(db, span)
        .select([day.as('day'), 'used.size', 'used.usd_per_ccu', seconds.as('seconds')])
        .groupBy(['day', 'used.size', 'used.usd_per_ccu'])
        .execute(),

    byWarehouse: (span: Span) =>
      within(db, span)
        .select([
          'used.account_id',
          'used.warehouse_id',
          warehouseName.as('name'),
          'used.size',
          'used.usd_per_ccu',
          seconds.as('seconds'),
        ])
        .groupBy(['used.account_id', 'used.warehouse_id', 'used.size', 'used.usd_per_ccu'])
        .execute(),

    /** As they were called last. */
    warehouseNames: async (ids: readonly string[]) =>
      ids.length === 0
        ? []
        : db
            .selectFrom('warehouse_runs')
            .select([
              'warehouse_id',
              sql<string>`(array_agg(warehouse_name order by started_at desc))[1]`.as('name'),
            ])
            .where('warehouse_id', 'in', [...ids])
            .groupBy('warehouse_id')
            .execute(),

    async details(span: Span, { page, pageSize }: { page: number; pageSize: number }) {
      const groups = within(db, span)
        .select([
          day.as('day'),
          'used.account_id',
          'used.warehouse_id',
          warehouseName.as('name'),
          'used.size',
          'used.usd_per_ccu',
          seconds.as('seconds'),
        ])
        .groupBy(['day', 'used.account_id', 'used.warehouse_id', 'used.size', 'used.usd_per_ccu'])
      const { total } = await db
        .selectFrom(groups.as('groups'))
        .select(sql<number>`count(*)::int`.as('total'))
        .executeTakeFirstOrThrow()
      const rows = await groups
        .orderBy('day', 'desc')
        .orderBy('name')
        .orderBy('used.warehouse_id')
        .orderBy('used.size')
        .orderBy('used.usd_per_ccu')
        .limit(pageSize)
        .offset((page - 1) * pageSize)
        .execute()
      return { total, rows }
    },
  }
}

export type UsageSums = ReturnType<typeof createUsageSums>

/** ACCOUNT-82: trials that run and whose accounts have used this many USD since they began. */
export async function spentTrials(
  trx: Transaction<Schema>,
  { usd, limit }: { usd: number; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ organisation_id: string }>`
    select trials.organisation_id
    from trials
    join accounts on accounts.organisation_id = trials.organisation_id
    join warehouse_usage used on used.account_id = accounts.account_id
      and used.hour >= date_trunc('hour', trials.started_at)
    where trials.ended_at is null
    group by trials.organisation_id
    having sum(used.seconds * ${ccuOfSize(sql`used.size`)} * used.usd_per_ccu) >= ${usd} * 3600
    order by trials.organisation_id
    limit ${limit}`.execute(trx)
  return rows.map((row) => row.organisation_id)
}
