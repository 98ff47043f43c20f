import { randomBytes } from 'node:crypto'
import type { TestCard } from '@boathouse/contract'

export type Json = Record<string, unknown>

export const DECLINE = { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' }

/** What the server that answers as Stripe has. */
export function createStripeObjects() {
  const objects = new Map<string, Json>()
  return {
    objects,
    /** How the card of a payment method behaves. */
    behaviours: new Map<string, TestCard>(),

    make(prefix: string, fields: Json): Json {
      const id = `${prefix}_${randomBytes(12).toString('hex')}`
      const made = { id, ...fields }
      objects.set(id, made)
      return made
    },
  }
}

export type StripeObjects = ReturnType<typeof createStripeObjects>
