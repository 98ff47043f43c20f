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
        ])
        .where('warehouse_id', '=', warehouseId)
        .where('hour', '>=', since)
        .groupBy(['day', 'size', 'usd_per_ccu'])
        .execute(),

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
