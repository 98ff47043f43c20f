import type { Insertable, Kysely } from 'kysely'
import type { Schema } from '../../store/schema.ts'

export function createAnnouncementStore(db: Kysely<Schema>) {
  return {
    async insert(row: Insertable<Schema['channel_events']>): Promise<number> {
      const { seq } = await db
        .insertInto('channel_events')
        .values(row)
        .returning('seq')
        .executeTakeFirstOrThrow()
      return seq
    },

    /** Newest first: everyone's, and the user's own. */
    since: (reader: { accountId: string; userId: string }, seq: number, limit: number) =>
      db
        .selectFrom('channel_events')
        .selectAll()
        .where('account_id', '=', reader.accountId)
        .where('seq', '>', seq)
        .where((eb) => eb.or([eb('user_id', 'is', null), eb('user_id', '=', reader.userId)]))
        .orderBy('seq', 'desc')
        .limit(limit)
        .execute(),

    async deleteBefore(before: Date, most: number): Promise<number> {
      const old = db.selectFrom('channel_events').select('seq').where('at', '<', before).orderBy('at')
      const { numDeletedRows } = await db
        .deleteFrom('channel_events')
        .where('seq', 'in', old.limit(most))
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },
  }
}
