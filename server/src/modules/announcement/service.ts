import type { GlobalEvent } from '@boathouse/contract'
import type { Kysely } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Events } from '../../kernel/events.ts'
import { inBatches } from '../../store/in-batches.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Schema } from '../../store/schema.ts'
import { createAnnouncementStore } from './store.ts'

/** An event for open consoles. `userId` null: all users of the account. */
export interface Announcement {
  readonly seq: number
  readonly accountId: string
  readonly userId: string | null
  readonly type: string
  readonly data: unknown
}

export type NewAnnouncement = Omit<Announcement, 'seq' | 'type'> & { readonly type: GlobalEvent }

const KEPT_MS = 24 * 3_600_000
/** A client that missed more than this reloads everything anyway. */
const MAX_MISSED = 1000

/** Stored before they are sent, in the order of their numbers, so that clients can request what they missed. */
export function createAnnouncements({
  db,
  clock,
  events,
}: {
  db: Kysely<Schema>
  clock: Clock
  events: Events
}) {
  const store = createAnnouncementStore(db)
  let last: Promise<unknown> = Promise.resolve()

  async function write(announcement: NewAnnouncement): Promise<void> {
    const { accountId, userId, type, data } = announcement
    const row = { account_id: accountId, user_id: userId, type, data: jsonText(data), at: clock.now() }
    const seq = await store.insert(row)
    events.emit('announced', { ...announcement, seq })
  }

  return {
    announce(announcement: NewAnnouncement): Promise<void> {
      const written = last.then(() => write(announcement))
      last = written.catch(() => undefined)
      return written
    },

    async since(actor: Actor, seq: number): Promise<Announcement[]> {
      const rows = await store.since(actor, seq, MAX_MISSED)
      return rows.reverse().map((row) => ({
        seq: row.seq,
        accountId: row.account_id,
        userId: row.user_id,
        type: row.type,
        data: row.data,
      }))
    },

    forgetOld: () => {
      const before = new Date(clock.now().getTime() - KEPT_MS)
      return inBatches((most) => store.deleteBefore(before, most))
    },
  }
}

export type Announcements = ReturnType<typeof createAnnouncements>
