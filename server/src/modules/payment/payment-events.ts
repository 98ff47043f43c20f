import type { Kysely } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { ReadEvent } from '../../providers/payment/payment-provider.ts'
import { inBatches } from '../../store/in-batches.ts'
import type { Schema } from '../../store/schema.ts'
import type { Cards } from './cards.ts'
import type { Charging } from './charging.ts'
import { forgetEvents, isEventKnown, keepEvent } from './event-store.ts'

const KEPT_MS = 30 * 24 * 3_600_000

export interface PaymentEventOptions {
  readonly db: Kysely<Schema>
  readonly readEvent: ReadEvent
  readonly cards: Pick<Cards, 'followRef'>
  readonly charging: Pick<Charging, 'followRef'>
  readonly clock: Clock
  readonly log: Log
}

/**
 * Events that the provider sends. They only say that it is time to ask: so their order does not matter, and an event
 * that comes twice, or about an unknown object, changes nothing.
 */
export function createPaymentEvents({ db, readEvent, cards, charging, clock, log }: PaymentEventOptions) {
  return {
    async take(message: { readonly body: string; readonly signature: string }): Promise<void> {
      const event = await readEvent({ ...message, now: clock.now() })
      if (event === 'forged')
        throw new AppError('BadSignature', 'The event is not signed by the payment provider.')
      if (event === 'stale')
        throw new AppError('StaleRequest', 'The event was signed too long ago, or in the future.')
      if (event === 'unreadable') throw new AppError('BadInput', 'The event cannot be read.')
      if (await isEventKnown(db, event.id)) return
      const { about, ref } = event
      const isOurs =
        about === 'other' || (await (about === 'setup' ? cards.followRef(ref) : charging.followRef(ref)))
      if (!isOurs) log.info({ event: event.id, about }, 'an event is about nothing that is known here')
      // Last, so that after a crash the provider sends it again.
      await keepEvent(db, event.id, clock.now())
    },

    forgetOld: () => {
      const before = new Date(clock.now().getTime() - KEPT_MS)
      return inBatches((most) => forgetEvents(db, before, most))
    },
  }
}

export type PaymentEvents = ReturnType<typeof createPaymentEvents>
