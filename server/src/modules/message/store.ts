import type { Insertable, Kysely } from 'kysely'
import type { Schema } from '../../store/schema.ts'

export const insertMessages = (db: Kysely<Schema>, rows: readonly Insertable<Schema['messages']>[]) =>
  db
    .insertInto('messages')
    .values([...rows])
    .execute()

export const unreadMessages = (db: Kysely<Schema>, userId: string, limit: number) =>
  db
    .selectFrom('messages')
    .select(['message_id', 'type', 'about', 'created_at'])
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .orderBy('created_at')
    .orderBy('message_id')
    .limit(limit)
    .execute()

interface MessagePage {
  readonly userId: string
  /** The last one that was seen; one that is not this user's begins nowhere. */
  readonly after: string | null
  readonly limit: number
}

/** Newest first, read or not. */
export const listMessages = (db: Kysely<Schema>, { userId, after, limit }: MessagePage) =>
  db
    .selectFrom('messages')
    .select(['message_id', 'type', 'about', 'created_at', 'read_at'])
    .where('user_id', '=', userId)
    .$if(after !== null, (query) =>
      query.where((eb) =>
        eb(
          eb.refTuple('created_at', 'message_id'),
          '<',
          eb
            .selectFrom('messages as seen')
            .select(['seen.created_at', 'seen.message_id'])
            .where('seen.message_id', '=', after)
            .where('seen.user_id', '=', userId)
            .$asTuple('created_at', 'message_id'),
        ),
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('message_id', 'desc')
    .limit(limit)
    .execute()

/** Undefined when this user has no such message. */
export const markMessageRead = (
  db: Kysely<Schema>,
  { messageId, userId }: Record<'messageId' | 'userId', string>,
  at: Date,
) =>
  db
    .updateTable('messages')
    .set((eb) => ({ read_at: eb.fn.coalesce('read_at', eb.val(at)) }))
    .where('message_id', '=', messageId)
    .where('user_id', '=', userId)
    .returning('message_id')
    .executeTakeFirst()
