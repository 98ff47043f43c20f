import type { Actor } from '../../../kernel/actor.ts'
import { BoundedMap } from '../../../kernel/bounded-map.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { userAuthor } from '../../audit/author.ts'
import type { SharedStore } from './shared-store.ts'

export interface SharedUse {
  readonly actor: Actor
  readonly clientIp: string | null
  readonly queryId: string
  readonly sharedAt: Date
  /** Whose result it is. */
  readonly owner: string
}

/** Those that are known to be written down; the others are asked for again. */
const MOST_KNOWN = 10_000

/** The audit log records who looked at a result of somebody else: once for each of them, before they see anything of it. */
export function createSharedUses({ store, clock }: { store: Pick<SharedStore, 'used'>; clock: Clock }) {
  const known = new BoundedMap<true>(MOST_KNOWN)

  return async function used({ actor, clientIp, queryId, sharedAt, owner }: SharedUse): Promise<void> {
    const { accountId, userId } = actor
    const key = `${queryId} ${userId} ${sharedAt.getTime()}`
    if (known.get(key)) return
    await store.used(
      { queryId, userId, sharedAt },
      {
        accountId,
        at: clock.now(),
        by: { ...userAuthor({ actor, clientIp: clientIp ?? '' }), clientIp },
        action: 'result.view',
        object: { type: 'result', id: queryId },
        before: null,
        after: { owner, sharedAt: sharedAt.toISOString() },
      },
    )
    known.set(key, true, 1)
  }
}

export type SharedUses = ReturnType<typeof createSharedUses>
