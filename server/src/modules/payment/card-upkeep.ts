import { SERVICE } from '../audit/author.ts'
import {
  cardsToDetach,
  failSetupsBefore,
  forgetReplaced,
  openSetups,
  postponeReplaced,
  setupByRef,
} from './card-store.ts'
import type { CardOptions, CardSetups } from './card-setups.ts'

const DAY_MS = 24 * 3_600_000

const AT_ONCE = 20

/** A try that begins while its card is being replaced is written down by then. */
const DETACH_AFTER_MS = 60_000

/** Follows cards when nobody waits for them, and detaches those that were replaced. */
export function createCardUpkeep(
  { db, provider, clock, log }: CardOptions,
  { asking, follow }: Pick<CardSetups, 'asking' | 'follow'>,
) {
  return {
    /** The provider reports an event of a setup; false when it is not ours. */
    async followRef(setupRef: string): Promise<boolean> {
      const setup = provider ? await setupByRef(db, provider.id, setupRef) : undefined
      if (!setup) return false
      await asking(follow(setup, SERVICE))
      return true
    },

    /** Binds cards that succeeded although their user closed the window too early. */
    async followAll(): Promise<void> {
      if (!provider) return
      await failSetupsBefore(db, new Date(clock.now().getTime() - DAY_MS), clock.now())
      for (const setup of await openSetups(db, provider.id, AT_ONCE))
        try {
          await follow(setup, SERVICE)
        } catch (error) {
          log.warn({ err: error }, 'the payment provider did not report the state of a card')
        }
    },

    /** Cards that were replaced. That it was done is written last: cut off before, it is done again. */
    async detachReplaced(): Promise<void> {
      if (!provider) return
      const before = new Date(clock.now().getTime() - DETACH_AFTER_MS)
      for (const cardRef of await cardsToDetach(db, { provider: provider.id, before, limit: AT_ONCE }))
        try {
          await provider.detachCard(cardRef)
          await forgetReplaced(db, provider.id, cardRef)
        } catch (error) {
          log.warn({ err: error }, 'the payment provider did not detach a card; asked again')
          await postponeReplaced(db, { provider: provider.id, cardRef, at: clock.now() })
        }
    },
  }
}
