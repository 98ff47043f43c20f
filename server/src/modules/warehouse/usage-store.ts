import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'

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
