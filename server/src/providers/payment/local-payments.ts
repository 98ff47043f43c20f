import { randomBytes } from 'node:crypto'
import type { TestCard } from '@boathouse/contract'
import type { Clock } from '../../kernel/clock.ts'
import type { BoundCard, ChargeOutcome, PaymentProvider, SetupOutcome } from './payment-provider.ts'

/** What it remembers, by id; given from outside, as it outlives the process. */
export interface LocalMemory {
  read(id: string): Promise<unknown>
  /** The first to write it wins: answers what is there afterwards. */
  writeOnce(id: string, data: object): Promise<unknown>
  write(id: string, data: object): Promise<void>
}

interface Setup {
  readonly state: 'waiting' | 'challenge' | 'declined' | 'succeeded'
  readonly card?: LocalCard
}

interface LocalCard extends BoundCard {
  readonly behaves: TestCard
  readonly isDetached?: true
}

const PROBLEMS = {
  declined: 'The bank declined the charge.',
  'fails later': 'The bank declined the charge.',
  expired: 'The card has expired.',
  unknown: 'The payment provider no longer knows the card. Add a card.',
} as const

interface Charge {
  readonly attempt: number
  readonly outcome: keyof typeof PROBLEMS | 'succeeded'
  readonly at: string
}

const HOUR_MS = 3_600_000
const BRANDS: { readonly [C in TestCard]?: string } = { mastercard: 'Mastercard', amex: 'American Express' }

/** The outcome of a charge, if it does not succeed. */
const LATER: { readonly [C in TestCard]?: Charge['outcome'] } = {
  declinedLater: 'declined',
  failsLater: 'fails later',
}

const secretOf = (setupRef: string): string => `${setupRef}_secret`
/** Who has the secret has the set-up: both are random. */
const setupRefOf = (clientSecret: string): string => clientSecret.replace(/_secret$/, '')

/** The outside refuses, as it does when it is down. */
class LocalProviderDown extends Error {
  override readonly name = 'LocalProviderDown'
  constructor() {
    super('The local payment provider was asked for an error by a test card.')
  }
}

/**
 * A payment provider for trying everything out: no money moves. Test cards say what happens. It forgets nothing and
 * charges once, as a real one does.
 */
export function createLocalPayments({ memory, clock }: { memory: LocalMemory; clock: Clock }) {
  const setupAt = async (ref: string): Promise<Setup | undefined> =>
    (await memory.read(`setup ${ref}`)) as Setup | undefined

  async function keepCard(ref: string, card: LocalCard): Promise<void> {
    await memory.write(`card ${card.cardRef}`, card)
    await memory.write(`setup ${ref}`, { state: 'succeeded', card } satisfies Setup)
  }

  function outcomeOf(charge: Charge, key: string): ChargeOutcome {
    if (charge.outcome === 'succeeded') return { state: 'succeeded', chargeRef: `local_ch_${key}` }
    const isOver = clock.now().getTime() - new Date(charge.at).getTime() >= HOUR_MS
    if (charge.outcome === 'fails later' && !isOver) return { state: 'processing' }
    return { state: 'declined', problem: PROBLEMS[charge.outcome] }
  }

  function becomesOf(card: LocalCard | undefined): Charge['outcome'] {
    if (!card || card.isDetached) return 'unknown'
    if (card.expires < clock.now().toISOString().slice(0, 7)) return 'expired'
    return LATER[card.behaves] ?? 'succeeded'
  }

  const provider: PaymentProvider = {
    id: 'local',
    leastCents: 1,
    createCustomer: async ({ id }) => {
      await memory.writeOnce(`customer local_cus_${id}`, {})
      return `local_cus_${id}`
    },

    async beginSetup() {
      const setupRef = `local_seti_${randomBytes(18).toString('hex')}`
      await memory.write(`setup ${setupRef}`, { state: 'waiting' } satisfies Setup)
      return { setupRef, clientSecret: secretOf(setupRef) }
    },

    async setupOutcome(setupRef): Promise<SetupOutcome> {
      const setup = await setupAt(setupRef)
      if (setup?.card && setup.state === 'succeeded') {
        const { behaves: _, ...card } = setup.card
        return { state: 'succeeded', card }
      }
      if (setup?.state === 'challenge') return { state: 'verifying' }
      return { state: setup?.state === 'waiting' ? 'waiting' : 'declined' }
    },

    async charge({ key, attempt, cardRef }): Promise<ChargeOutcome> {
      const last = (await memory.read(`charge ${key}`)) as Charge | undefined
      if (last && (last.outcome === 'succeeded' || last.attempt >= attempt)) return outcomeOf(last, key)
      const card = (await memory.read(`card ${cardRef}`)) as LocalCard | undefined
      const charge: Charge = { attempt, outcome: becomesOf(card), at: clock.now().toISOString() }
      if (last) await memory.write(`charge ${key}`, charge)
      return outcomeOf(last ? charge : ((await memory.writeOnce(`charge ${key}`, charge)) as Charge), key)
    },

    async detachCard(cardRef) {
      const card = (await memory.read(`card ${cardRef}`)) as LocalCard | undefined
      if (card) await memory.write(`card ${cardRef}`, { ...card, isDetached: true } satisfies LocalCard)
    },
  }

  return {
    ...provider,

    /** What the browser's part asks: undefined when there is no set-up that waits under this secret. */
    async confirm(clientSecret: string, entered: { card: TestCard; lastDigits: string; expires: string }) {
      const ref = setupRefOf(clientSecret)
      const setup = await setupAt(ref)
      if (setup?.state !== 'waiting' && setup?.state !== 'declined') return undefined
      const { card: behaves, lastDigits, expires } = entered
      if (behaves === 'unavailable') throw new LocalProviderDown()
      if (behaves === 'declined') {
        await memory.write(`setup ${ref}`, { state: 'declined' } satisfies Setup)
        return 'declined'
      }
      const cardRef = `local_pm_${randomBytes(12).toString('hex')}`
      const card: LocalCard = { cardRef, brand: BRANDS[behaves] ?? 'Visa', lastDigits, expires, behaves }
      if (behaves === 'challenge') {
        await memory.write(`setup ${ref}`, { state: 'challenge', card } satisfies Setup)
        return 'challenge'
      }
      await keepCard(ref, card)
      return 'succeeded'
    },

    /** The bank's question: undefined when nothing was asked under this secret. */
    async answerChallenge(clientSecret: string, passes: boolean) {
      const ref = setupRefOf(clientSecret)
      const setup = await setupAt(ref)
      if (setup?.state !== 'challenge' || !setup.card) return undefined
      if (passes) await keepCard(ref, setup.card)
      else await memory.write(`setup ${ref}`, { state: 'declined' } satisfies Setup)
      return passes ? 'succeeded' : 'declined'
    },
  }
}

export type LocalPayments = ReturnType<typeof createLocalPayments>
