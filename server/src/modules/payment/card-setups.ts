import { createHash, randomUUID } from 'node:crypto'
import { type Card, type CardBinding, CARD_MESSAGES } from '@boathouse/contract'
import type { Kysely, Selectable } from 'kysely'
import type { Actor, Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { BoundCard, PaymentProvider } from '../../providers/payment/payment-provider.ts'
import type { Schema } from '../../store/schema.ts'
import type { RateLimit } from '../attempt/rate-limit.ts'
import type { Author } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import { cardOf, endSetup, insertSetup, keepCard, setupBySecret } from './card-store.ts'
import { reopenForNewCard } from './invoice-store.ts'
import { type Payer, payerOf, rootAccountOf } from './payer-store.ts'

export type From = Caller & { readonly actor: Actor }

type Setup = Selectable<Schema['card_setups']>

/** A card that is tried again and again may be stolen. */
const SETUPS = { free: 10, longestWaitMs: 60_000, pauseMs: 15 * 60_000 }

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

export interface CardOptions {
  readonly db: Kysely<Schema>
  /** Null where no cards can be bound. */
  readonly provider: PaymentProvider | null
  readonly rateLimit: RateLimit
  readonly clock: Clock
  readonly log: Log
  /** The organisation has a card: invoices can be charged, and frozen accounts resumed. */
  readonly onBound: (organisationId: string) => Promise<void>
}

export const shownCard = (row: Selectable<Schema['payment_cards']>): Card => ({
  brand: row.brand,
  lastDigits: row.last_digits,
  expires: row.expires.slice(0, 7),
})

/** Only administrators of the root account pay. */
export async function requirePayer(db: Kysely<Schema>, actor: Actor): Promise<Payer> {
  const payer = await payerOf(db, actor.accountId)
  if (!actor.isOrgAdmin || payer.rootAccountId !== actor.accountId)
    throw new AppError(
      'NoPermission',
      'Only administrators of the root account of the organisation can add cards.',
    )
  return payer
}

/** A card on its way from the form of the provider to an organisation. */
export function createCardSetups({ db, provider, rateLimit, clock, log, onBound }: CardOptions) {
  function requireProvider(): PaymentProvider {
    if (!provider) throw new AppError('NotFound', 'This installation does not accept cards.')
    return provider
  }

  /** Whatever goes wrong at the provider, the user can only try again later. */
  async function asking<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      log.warn({ err: error }, 'the payment provider did not answer')
      throw new AppError('PaymentFailed', CARD_MESSAGES.problem, { cause: error })
    }
  }

  async function begin(from: From, payer: Payer, customerRef: string): Promise<{ clientSecret: string }> {
    await rateLimit.reserve({
      address: from.clientIp,
      refusal: 'Too many cards were tried.',
      own: { key: `cards of ${payer.organisationId}`, budget: SETUPS },
    })
    const { setupRef, clientSecret } = await asking(requireProvider().beginSetup(customerRef))
    await insertSetup(db, {
      setup_id: randomUUID(),
      organisation_id: payer.organisationId,
      provider: requireProvider().id,
      setup_ref: setupRef,
      secret_hash: hashOf(clientSecret),
      state: 'open',
      created_at: clock.now(),
    })
    return { clientSecret }
  }

  /** Once, however many see that it succeeded. */
  async function bind(setup: Setup, card: BoundCard, by: Author): Promise<void> {
    const organisationId = setup.organisation_id
    const isBound = await db.transaction().execute(async (trx) => {
      const at = clock.now()
      if (!(await endSetup(trx, setup.setup_id, { state: 'bound', at }))) return false
      const before = await cardOf(trx, organisationId, setup.provider)
      await keepCard(trx, {
        organisation_id: organisationId,
        provider: setup.provider,
        card_ref: card.cardRef,
        brand: card.brand,
        last_digits: card.lastDigits,
        expires: `${card.expires}-01`,
        bound_at: at,
      })
      await reopenForNewCard(trx, organisationId, at)
      const accountId = await rootAccountOf(trx, organisationId)
      const { brand, lastDigits, expires } = card
      if (accountId !== null)
        await recordAudit(trx, {
          accountId,
          at,
          by,
          action: 'card.bind',
          object: { type: 'card', id: organisationId },
          before: before ? { ...shownCard(before) } : null,
          after: { brand, lastDigits, expires },
        })
      return true
    })
    if (isBound) await onBound(organisationId)
  }

  /** Gets the outcome from the provider and records it. */
  async function follow(setup: Setup, by: Author): Promise<CardBinding> {
    if (setup.state === 'bound') return 'bound'
    if (setup.state === 'failed' || setup.provider !== provider?.id) return 'retryLater'
    const outcome = await provider.setupOutcome(setup.setup_ref)
    if (outcome.state === 'declined') return 'retryLater'
    if (outcome.state !== 'succeeded') return outcome.state
    await bind(setup, outcome.card, by)
    return 'bound'
  }

  async function requireSetup(actor: Actor, clientSecret: string): Promise<Setup> {
    const { organisationId } = await requirePayer(db, actor)
    const setup = await setupBySecret(db, organisationId, hashOf(clientSecret))
    if (!setup) throw new AppError('NotFound', 'There is no card for this secret.')
    return setup
  }

  return { requireProvider, asking, begin, follow, requireSetup }
}

export type CardSetups = ReturnType<typeof createCardSetups>
