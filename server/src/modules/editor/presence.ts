import { type GlobalEvent, LIMITS, type Presence, type SeenPresence } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { BoundedMap } from '../../kernel/bounded-map.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Events } from '../../kernel/events.ts'
import type { SeenTab } from './tab-access.ts'

const PRESENT: GlobalEvent = 'GlobalEventTypeEditorPresence'
/** Windows say every five seconds where they are. */
const HERE_MS = 15_000
const MOST_TEXTS = 10_000

interface Parts {
  readonly clock: Clock
  readonly events: Events
  readonly find: (actor: Actor, tabId: string) => Promise<SeenTab>
}

/**
 * Who is in which text, stored nowhere. Only those hear of it who have just said the same themselves: they had access then,
 * and who loses it can say so no more.
 */
export function createPresence({ clock, events, find }: Parts) {
  /** Of each text, until when its users count as there. */
  const texts = new BoundedMap<Map<string, number>>(MOST_TEXTS)

  function usersIn(tabId: string, now: number): Map<string, number> {
    const users = new Map([...(texts.get(tabId) ?? [])].filter(([, until]) => until > now))
    texts.set(tabId, users, 1)
    return users
  }

  return {
    async present(actor: Actor, presence: Presence): Promise<void> {
      const { tab_id: tabId, account_id: accountId } = await find(actor, presence.tabId)
      const now = clock.now().getTime()
      const users = usersIn(tabId, now)
      if (presence.isHere && (users.has(actor.userId) || users.size < LIMITS.livePeople))
        users.set(actor.userId, now + HERE_MS)
      const data: SeenPresence = { ...presence, user: actor.user }
      for (const userId of users.keys())
        events.emit('announced', { seq: 0, accountId, userId, type: PRESENT, data })
    },

    /** Somebody may have access no more: those who have say in some seconds that they are there. */
    forget: (): void => texts.clear(),
  }
}
