import { randomUUID } from 'node:crypto'
import { LIMITS, type MESSAGE_TYPES, type UnreadMessage } from '@boathouse/contract'
import type { Kysely, Transaction } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Schema } from '../../store/schema.ts'
import { insertMessages, listMessages, markMessageRead, unreadMessages } from './store.ts'

export interface NewMessage {
  readonly accountId: string
  readonly userIds: readonly string[]
  readonly type: (typeof MESSAGE_TYPES)[keyof typeof MESSAGE_TYPES]
  /** The name of what it reports about. */
  readonly about?: string
  readonly at: Date
}

/** Written in the transaction of what they report. Each user reads their own. */
export async function writeMessages(trx: Transaction<Schema>, message: NewMessage): Promise<void> {
  const { accountId, userIds, type, about = '', at } = message
  if (userIds.length === 0) return
  const rows = userIds.map((userId) => ({
    message_id: randomUUID(),
    account_id: accountId,
    user_id: userId,
    type,
    about,
    created_at: at,
  }))
  await insertMessages(trx, rows)
}

export function createMessages({ db, clock }: { db: Kysely<Schema>; clock: Clock }) {
  return {
    async unread(actor: Actor): Promise<UnreadMessage[]> {
      const rows = await unreadMessages(db, actor.userId, LIMITS.unreadMessages)
      return rows.map((row) => ({
        messageId: row.message_id,
        type: row.type,
        about: row.about,
        read: false,
        createdAt: row.created_at.toISOString(),
      }))
    },

    async list(
      actor: Actor,
      { cursor, limit }: { cursor: string | null; limit: number },
    ): Promise<{ messages: UnreadMessage[]; nextCursor: string | null }> {
      const rows = await listMessages(db, { userId: actor.userId, after: cursor, limit: limit + 1 })
      const messages = rows.slice(0, limit).map((row) => ({
        messageId: row.message_id,
        type: row.type,
        about: row.about,
        read: row.read_at !== null,
        createdAt: row.created_at.toISOString(),
      }))
      return { messages, nextCursor: rows.length > limit ? (messages.at(-1)?.messageId ?? null) : null }
    },

    async markRead(actor: Actor, messageId: string): Promise<void> {
      const row = await markMessageRead(db, { messageId, userId: actor.userId }, clock.now())
      if (!row) throw new AppError('NotFound', 'There is no such message for you.')
    },
  }
}

export type Messages = ReturnType<typeof createMessages>
