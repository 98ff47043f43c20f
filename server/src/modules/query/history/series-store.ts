import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../../store/schema.ts'
import { stepOf, type Steps } from '../../../store/steps.ts'
import { tookMicros } from './duration-store.ts'
import { newestFirst } from './newest-first-store.ts'
import type { Seen } from './seen-by.ts'

/** No answer looks at more statements than these, the newest. */
const MOST_STATEMENTS = 200_000

export function createSeriesStore(db: Kysely<Schema>, most = MOST_STATEMENTS) {
  function statements(whose: Seen, { from, until }: Steps, warehouseId: string | undefined) {
    let rows = db
      .selectFrom('statements')
      .where('account_id', '=', whose.accountId)
      .where('visible', '=', true)
      .where('accepted_at', '>=', from)
      .where('accepted_at', '<', until)
    if (whose.user) rows = rows.where('user_name', '=', whose.user.name).where('user_id', '=', whose.user.id)
    if (warehouseId !== undefined) rows = rows.where('warehouse_id', '=', warehouseId)
    return rows
  }

  return {
    /** By step and state, and by step alone with an empty state: how many, how long and how many rows. */
    byStep: (whose: Seen, steps: Steps, warehouseId: string | undefined) =>
      db
        .selectFrom(
          newestFirst(statements(whose, steps, warehouseId))
            .select(['accepted_at', 'state', 'ended_at', 'row_count', tookMicros().as('took_us')])
            .limit(most)
            .as('looked'),
        )
        .select([
          stepOf('looked.accepted_at', steps.step).as('at'),
          sql<string>`coalesce(looked.state, '')`.as('state'),
          sql<number>`count(*)::int`.as('count'),
          sql<number | null>`(percentile_disc(0.5) within group (order by looked.took_us))::float8`.as(
            'p50_us',
          ),
          sql<number | null>`(percentile_disc(0.95) within group (order by looked.took_us))::float8`.as(
            'p95_us',
          ),
          sql<number>`coalesce(sum(looked.row_count), 0)::float8`.as('rows'),
        ])
        .where('looked.ended_at', 'is not', null)
        .groupBy(sql`grouping sets ((1), (1, looked.state))`)
        .orderBy('at')
        .orderBy('state')
        .execute(),

    /** The newest statement that was not looked at; null when all were. */
    async lookedTo(whose: Seen, steps: Steps, warehouseId: string | undefined): Promise<Date | null> {
      const found = await newestFirst(statements(whose, steps, warehouseId))
        .select('accepted_at')
        .offset(most)
        .limit(1)
        .executeTakeFirst()
      return found?.accepted_at ?? null
    },
  }
}
