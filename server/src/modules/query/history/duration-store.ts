import { type RawBuilder, sql } from 'kysely'

/**
 * What a statement took, in microseconds: from when its turn came to its end. Null while it runs, and of one that never
 * ran or was cut off. The indexes of slow statements say it in the same words.
 */
export const tookMicros = (): RawBuilder<number | null> =>
  sql<number | null>`coalesce(duration_us, case when state <> 'interrupted'
    then (extract(epoch from ended_at - started_at) * 1000000)::bigint end)`
