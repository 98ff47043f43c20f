import { randomUUID } from 'node:crypto'
import { CARD_MESSAGES, type Input, type Output, type payment, type PaymentForm } from '@boathouse/contract'
import type { Kysely, Transaction } from 'kysely'
import type { Actor, Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { LocalPayments } from '../../providers/payment/local-payments.ts'
import type { PaymentProvider, ReadEvent } from '../../providers/payment/payment-provider.ts'
import type { Schema } from '../../store/schema.ts'
import type { RateLimit } from '../attempt/rate-limit.ts'
import type { Author } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import type { Mails } from '../mail/service.ts'
import type { Usage } from '../usage/service.ts'
import { createBills } from './bills.ts'
import { cardOf } from './card-store.ts'
import { createCards } from './cards.ts'
import { createCharging } from './charging.ts'
import { createClosing, keepUsageOf, paymentTypeOf } from './closing.ts'
import { createContracts } from './contracts.ts'
import { createDiscounts } from './discounts.ts'
import { createExplainedBills } from './explained-bills.ts'
import { addToBalance } from './invoice-store.ts'
import { originOf, rootAccountOf } from './payer-store.ts'
import { createPaymentEvents } from './payment-events.ts'
import type { Printer } from './printing/printer.ts'

export interface PaymentOptions {
  readonly db: Kysely<Schema>
  readonly provider: PaymentProvider | null
  /** Where the provider is the local one: the browser's part asks it by way of this service. */
  readonly local: LocalPayments | null
  /** What the browser needs to know to show its form. */
  readonly form: PaymentForm
  /** Null: the provider sends no events. */
  readonly readEvent: ReadEvent | null
  readonly usage: Usage
  readonly printer: Pick<Printer, 'print'>
  readonly rateLimit: RateLimit
  readonly mails: Pick<Mails, 'write'>
  readonly meter: () => Promise<void>
  readonly onMoved: (accountIds: readonly string[]) => void
  readonly clock: Clock
  readonly log: Log
}

type From = Caller & { readonly actor: Actor }
type Confirmed = Output<typeof payment.confirmTestCard>['state']
type Answered = Output<typeof payment.answerTestChallenge>['state']

/** Cards, and the invoices that they pay. */
export function createPayments(options: PaymentOptions) {
  const { db, provider, local, form, readEvent, usage, printer, clock, log } = options
  const charging = createCharging(options)
  const cards = createCards({
    ...options,
    onBound: async (organisationId) => {
      await charging.chargeDue(organisationId)
      await charging.resumePaid()
    },
  })

  async function atLocal<T>(ask: (to: LocalPayments) => Promise<T | undefined>): Promise<T> {
    if (!local) throw new AppError('NotFound', 'Test cards are for the local payment provider.')
    let answer: T | undefined
    try {
      answer = await ask(local)
    } catch (error) {
      log.warn({ err: error }, 'the local payment provider failed')
      throw new AppError('PaymentFailed', CARD_MESSAGES.problem, { cause: error })
    }
    if (answer === undefined) throw new AppError('NotFound', 'There is no card for this secret.')
    return answer
  }

  return {
    cards,
    bills: createBills({ db, usage, printer, providerId: provider?.id ?? null, clock }),
    explained: createExplainedBills({ db }),
    discounts: createDiscounts({ db, clock }),
    closing: createClosing(options),
    charging,
    contracts: createContracts(options),
    form,
    /** Null where no provider sends events. */
    events: readEvent ? createPaymentEvents({ db, readEvent, cards, charging, clock, log }) : null,
    /** Before the rows of an account go. */
    keepUsageOf,

    async confirmTestCard(from: From, entered: Input<typeof payment.confirmTestCard>): Promise<Confirmed> {
      await cards.requireSetup(from.actor, entered.clientSecret)
      if (entered.expires < clock.now().toISOString().slice(0, 7))
        throw new AppError('BadInput', 'expires: This card has expired.')
      return atLocal((to) => to.confirm(entered.clientSecret, entered))
    },

    async answerTestChallenge(from: From, clientSecret: string, passes: boolean): Promise<Answered> {
      await cards.requireSetup(from.actor, clientSecret)
      return atLocal((to) => to.answerChallenge(clientSecret, passes))
    },

    hasCard: async (trx: Transaction<Schema>, organisationId: string): Promise<boolean> =>
      provider !== null && (await cardOf(trx, organisationId, provider.id)) !== undefined,

    paysThroughMarketplace: async (trx: Transaction<Schema>, organisationId: string): Promise<boolean> =>
      paymentTypeOf(await originOf(trx, organisationId)) === 'marketplace',

    /** CCUs that were paid for in advance, which later invoices use up first. */
    addCcu: (organisationId: string, ccu: number, by: Author): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const accountId = await rootAccountOf(trx, organisationId)
        if (accountId === null) throw new AppError('NotFound', 'There is no such organisation.')
        const at = clock.now()
        await addToBalance(trx, {
          entry_id: randomUUID(),
          organisation_id: organisationId,
          ccu_seconds: ccu * 3_600,
          invoice_id: null,
          at,
        })
        await recordAudit(trx, {
          accountId,
          at,
          by,
          action: 'ccu.add',
          object: { type: 'organisation', id: organisationId },
          before: null,
          after: { ccu },
        })
      }),
  }
}

export { paymentTypeOf } from './closing.ts'

export type Payments = ReturnType<typeof createPayments>
