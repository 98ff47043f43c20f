import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'

export const isEventKnown = async (db: Kysely<Schema>, eventId: string): Promise<boolean> =>
  (await db
    .selectFrom('payment_events')
    .select('event_id')
    .where('event_id', '=', eventId)
    .executeTakeFirst()) !== undefined

export const keepEvent = (db: Kysely<Schema>, eventId: string, at: Date) =>
  db
    .insertInto('payment_events')
    .values({ event_id: eventId, received_at: at })
    .onConflict((conflict) => conflict.column('event_id').doNothing())
    .execute()

/** How many rows it was. */
export async function forgetEvents(db: Kysely<Schema>, before: Date, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from payment_events where event_id = any(array(
      select event_id from payment_events where received_at < ${before} order by received_at limit ${most}))`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}
