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

interface DetailRow {
  readonly day: string
  readonly account_id: string
  /** Null: storage, of which the price is that of a GB in a month. */
  readonly warehouse_id: string | null
  readonly name: string
  readonly size: string
  readonly usd_per_ccu: string
  readonly seconds: number
  readonly byte_hours: string
  readonly units: string
}

const detailsOf = ({ accountIds, from, until }: Span) => sql`
  select * from (
    select ${day} as day, used.account_id, used.warehouse_id, ${warehouseName} as name, used.size, used.usd_per_ccu,
      ${seconds} as seconds, '0' as byte_hours, '0' as units
    from warehouse_usage used
    where used.account_id = any(${[...accountIds]}) and used.hour >= ${from} and used.hour < ${until}
    group by 1, 2, 3, used.size, used.usd_per_ccu
    union all
    select ${day}, used.account_id, null, '', '', used.usd_per_gb_month, 0,
      sum(used.bytes)::numeric(40)::text, sum(used.units)::numeric(30)::text
    from storage_usage used
    where used.account_id = any(${[...accountIds]}) and used.hour >= ${from} and used.hour < ${until}
    group by 1, 2, used.usd_per_gb_month
    having sum(used.bytes) > 0
  ) as details`

/** Sums by size and price; the caller computes their cost, once. */
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

    /** By their last names. */
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

    /** By day, warehouse, size and price; storage by day, account and price. */
    async details(span: Span, { page, pageSize }: { page: number; pageSize: number }) {
      const groups = detailsOf(span)
      const counted = await sql<{ total: number }>`
        select count(*)::int as total from (${groups}) as groups`.execute(db)
      const { rows } = await sql<DetailRow>`
        ${groups}
        order by day desc, warehouse_id is null, name, account_id, warehouse_id, size, usd_per_ccu
        limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(db)
      return { total: counted.rows[0]?.total ?? 0, rows }
    },
  }
}

/** Running trials whose accounts have used this many USD of compute and storage since they started. */
export async function spentTrials(
  trx: Transaction<Schema>,
  { usd, limit }: { usd: number; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ organisation_id: string }>`
    select trials.organisation_id
    from trials
    where trials.ended_at is null
      and (
        select coalesce(sum(used.seconds * ${ccuOfSize(sql`used.size`)} * used.usd_per_ccu * 1000000), 0)
        from accounts join warehouse_usage used on used.account_id = accounts.account_id
        where accounts.organisation_id = trials.organisation_id
          and used.hour >= date_trunc('hour', trials.started_at)
      ) + (
        select coalesce(sum(kept.units), 0)
        from accounts join storage_usage kept on kept.account_id = accounts.account_id
        where accounts.organisation_id = trials.organisation_id
          and kept.hour >= date_trunc('hour', trials.started_at)
      ) >= ${usd}::numeric * 1000000 * 3600
    order by trials.organisation_id
    limit ${limit}`.execute(trx)
  return rows.map((row) => row.organisation_id)
}

export type UsageSums = ReturnType<typeof createUsageSums>
