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
    .select(['message_id', 'type', 'created_at'])
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .orderBy('created_at')
    .limit(limit)
    .execute()

/** Undefined when there is none for this user. */
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
