import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { stepOf, type Steps } from '../../store/steps.ts'
import { ccuOfSize } from './billed-usage-store.ts'

export function createUsageStore(db: Kysely<Schema>) {
  return {
    /** Charged seconds by day, UTC, size and the price at which they were used. */
    byDay: (warehouseId: string, since: Date) =>
      db
        .selectFrom('warehouse_usage')
        .select([
          sql<string>`to_char(hour at time zone 'UTC', 'YYYY-MM-DD')`.as('day'),
          'size',
          'usd_per_ccu',
          (eb) => eb.fn.sum<string>('seconds').as('seconds'),
          (eb) => eb.fn.sum<string>('busy_micros').as('busy_micros'),
        ])
        .where('warehouse_id', '=', warehouseId)
        .where('hour', '>=', since)
        .groupBy(['day', 'size', 'usd_per_ccu'])
        .execute(),

    /** Up to when these warehouses are counted, of those that run. */
    countedUntil: (warehouseIds: readonly string[]) =>
      db
        .selectFrom('warehouse_runs')
        .select(['warehouse_id', 'started_at', 'metered_until'])
        .where('warehouse_id', 'in', [...warehouseIds])
        .where('ended_at', 'is', null)
        .execute(),

    /** What of the time of warehouses these statements took. */
    ofStatements: (queryIds: readonly string[]) =>
      db
        .selectFrom('statement_usage')
        .select(['query_id', 'size', 'usd_per_ccu', (eb) => eb.fn.sum<string>('micros').as('micros')])
        .where('query_id', 'in', [...queryIds])
        .groupBy(['query_id', 'size', 'usd_per_ccu'])
        .execute(),

    /** By step: charged seconds, CCU and USD of each of these warehouses. */
    byStep: async ({ from, until, step }: Steps, warehouseIds: readonly string[]) => {
      const ccuSeconds = sql`used.seconds * ${ccuOfSize(sql`used.size`)}`
      return db
        .selectFrom('warehouse_usage as used')
        .select([
          stepOf('used.hour', step).as('at'),
          'used.warehouse_id',
          sql<number>`sum(used.seconds)::float8`.as('seconds'),
          sql<number>`(sum(${ccuSeconds}) / 3600.0)::float8`.as('ccu'),
          sql<number>`(sum(${ccuSeconds} * used.usd_per_ccu) / 3600)::float8`.as('usd'),
        ])
        .where('used.warehouse_id', 'in', [...warehouseIds])
        .where('used.hour', '>=', from)
        .where('used.hour', '<', until)
        .groupBy([sql`1`, 'used.warehouse_id'])
        .orderBy('at')
        .execute()
    },

    /** How many rows it was. */
    async forgetStatementUsage(before: Date, most: number): Promise<number> {
      const { numAffectedRows } = await sql`
        delete from statement_usage where ctid = any(array(
          select ctid from statement_usage where hour < ${before} order by hour limit ${most}))`.execute(db)
      return Number(numAffectedRows ?? 0)
    },

    /** Seconds that it really ran since a moment, as far as they are metered. */
    async activeSeconds(warehouseId: string, since: Date): Promise<number> {
      const { seconds } = await db
        .selectFrom('warehouse_runs')
        .select(
          sql<string>`coalesce(sum(extract(epoch from metered_until - greatest(started_at, ${since})))::bigint, 0)`.as(
            'seconds',
          ),
        )
        .where('warehouse_id', '=', warehouseId)
        .where('metered_until', '>', since)
        .executeTakeFirstOrThrow()
      return Number(seconds)
    },
  }
}

export type UsageStore = ReturnType<typeof createUsageStore>
