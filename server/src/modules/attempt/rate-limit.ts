import type { Kysely } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { createFairQueue } from '../../kernel/fair-queue.ts'
import type { Schema } from '../../store/schema.ts'
import { addressBlock } from './address-block.ts'
import { type Budget, type Claim, createAttemptStore } from './store.ts'

/** A flood of attempts shares two connections of the pool, so that it does not keep others from the database. */
const WIDTH = {
  atOnce: 2,
  ranks: { attempt: { places: 1000, shares: [{ most: 50, of: 'from your address' }] } },
}

export interface Attempt {
  readonly address: string
  /** Said when it must wait: 'Too many failed sign-ins.' */
  readonly refusal: string
  readonly own: Claim
  /** Counted with those of others, unless one of its own was right not long ago. */
  readonly shared?: readonly Claim[]
}

/** The shortest wait is a second. */
function waitSentence(waitMs: number): string {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return `Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}, then try again.`
}

/** What strangers may try is counted here before it is judged, in the store, however many come at once. */
export function createRateLimit({ db, clock }: { db: Kysely<Schema>; clock: Clock }) {
  const store = createAttemptStore(db)
  const queue = createFairQueue(WIDTH)

  async function claim({
    refusal,
    own,
    shared = [],
  }: Attempt): Promise<{ claims: readonly Claim[]; isKnown: boolean }> {
    const now = clock.now()
    const [ofOwn, ...ofShared] = await store.look([own, ...shared])
    const isKnown = ofOwn?.known_until ? ofOwn.known_until > now : false
    const claims = isKnown ? [own] : [own, ...shared]
    const nextAt = [ofOwn, ...(isKnown ? [] : ofShared)].map((row) => row?.next_at.getTime() ?? 0)
    const waitMs = Math.max(...nextAt) - now.getTime()
    // Most of a flood ends with the look, which takes no lock.
    if (waitMs > 0 || !(await store.claim(claims, now)))
      throw new AppError('TooManyAttempts', `${refusal} ${waitSentence(waitMs)}`)
    return { claims, isKnown }
  }

  return {
    /** Throws TooManyAttempts when it must wait. Else it is counted, and may be judged. */
    async reserve(attempt: Attempt) {
      const priority = { rank: 'attempt', path: [addressBlock(attempt.address)] } as const
      const { claims, isKnown } = await queue(priority, () => claim(attempt))
      return {
        /** One of its own was right not long ago. */
        isKnown,
        /** It was no guess. */
        async giveBack(): Promise<void> {
          for (const claim of claims) await store.giveBack(claim, clock.now())
        },
        /** It was right: its own count is forgotten, and for this long it does not share those of others. */
        async know(forMs: number): Promise<void> {
          const now = clock.now()
          await store.know(attempt.own, now, new Date(now.getTime() + forMs))
          for (const claim of claims) if (claim !== attempt.own) await store.giveBack(claim, now)
        },
      }
    },

    /** Of what comes from one address, for one purpose. */
    fromAddress: (purpose: string, address: string, budget: Budget): Claim => ({
      key: `${purpose} ${addressBlock(address)}`,
      budget,
    }),

    forgetOld: () => store.forget(clock.now()),
  }
}

export type RateLimit = ReturnType<typeof createRateLimit>
