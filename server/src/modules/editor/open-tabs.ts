import { LIMITS } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { noSuchTab } from './bin.ts'
import type { EditorStore } from './store.ts'
import type { SeenTab } from './tab-access.ts'

interface Parts {
  readonly store: EditorStore
  readonly clock: Clock
  readonly find: (actor: Actor, tabId: string) => Promise<SeenTab>
  readonly changed: (actor: Actor) => void
}

/** Which queries a user has open, in which order: their own, and those of others. */
export function createOpenTabs({ store, clock, find, changed }: Parts) {
  async function openShared({ userId }: Actor, { tab_id: tabId, hidden }: SeenTab): Promise<void> {
    await store.alone(userId, async (own) => {
      if (hidden && (await own.countOpenShared(userId)) >= LIMITS.openSharedQueries)
        throw new AppError(
          'LimitReached',
          `You have ${LIMITS.openSharedQueries} queries of others open, the maximum. Close some.`,
        )
      await own.openSharedTab(userId, tabId)
    })
  }

  return {
    async activeTab(actor: Actor, tabId: string) {
      const tab = await find(actor, tabId)
      if (tab.access !== 'own') await openShared(actor, tab)
      await store.activate(actor.userId, tabId)
      await store.activateShared(actor.userId, tabId)
      if (tab.hidden) changed(actor)
    },

    async hideTab(actor: Actor, tabId: string) {
      const at = clock.now()
      const isHidden =
        (await store.hide(actor.userId, tabId, at)) || (await store.hideShared(actor.userId, tabId, at))
      if (!isHidden) throw noSuchTab()
      changed(actor)
    },

    async orderTabs(actor: Actor, tabIds: readonly string[]) {
      await store.order(actor.userId, tabIds)
      await store.orderShared(actor.userId, tabIds)
      changed(actor)
    },
  }
}
