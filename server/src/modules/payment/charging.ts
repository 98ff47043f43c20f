import type { InvoiceState } from '@boathouse/contract'
import type { Kysely, Transaction } from 'kysely'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { usdOfCents } from '../../kernel/money.ts'
import type { ChargeOutcome, PaymentProvider } from '../../providers/payment/payment-provider.ts'
import type { Schema } from '../../store/schema.ts'
import type { Mails } from '../mail/service.ts'
import { moveAccountsOf, readersOfBills } from '../org/money.ts'
import { type InvoiceEvent, invoiceStateAfter } from './invoice-states.ts'
import { chargeKeyOf } from './intent-store.ts'
import { changeInvoice, hastenInvoice, takeDueInvoice } from './invoice-store.ts'
import { paidButFrozen } from './payer-store.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const AT_ONCE = 20
/** A try whose answer was not written down is asked for again after this long. */
const ANSWER_MS = MINUTE_MS
const ASK_AGAIN_MS = 10 * MINUTE_MS
/** After each refusal of a card the next try is this many days later; after the last one it is given up. */
const RETRY_DAYS: readonly number[] = [1, 3, 5]

export interface ChargingOptions {
  readonly db: Kysely<Schema>
  readonly provider: PaymentProvider | null
  readonly mails: Pick<Mails, 'write'>
  readonly clock: Clock
  readonly log: Log
  readonly onMoved: (accountIds: readonly string[]) => void
}

type Due = NonNullable<Awaited<ReturnType<typeof takeDueInvoice>>>

function after(state: string, event: InvoiceEvent): InvoiceState {
  const next = invoiceStateAfter(state as InvoiceState, event)
  if (!next) throw new Error(`An invoice that is ${state} knows no ${event}.`)
  return next
}

/**
 * Charges invoices. That a try begins is written before the provider is asked, and what it answered afterwards; cut off in
 * between, the same try is sent again, and the provider answers what it has answered. So nobody is charged twice.
 */
export function createCharging(options: ChargingOptions) {
  const { db, provider, mails, clock, log, onMoved } = options
  const later = (ms: number): Date => new Date(clock.now().getTime() + ms)

  /** The try that is to be sent, new or once more. */
  const beginTry = (to: PaymentProvider, organisationId?: string): Promise<Due | undefined> =>
    db.transaction().execute(async (trx) => {
      const due = await takeDueInvoice(trx, { now: clock.now(), provider: to.id, organisationId })
      if (!due) return undefined
      const isNew = due.state !== 'charging'
      const change = isNew
        ? {
            state: after(due.state, 'try'),
            attempts: due.attempts + 1,
            provider: to.id,
            card_ref: due.bound_card_ref,
            card_brand: due.bound_brand,
            card_last_digits: due.bound_last_digits,
          }
        : {}
      const next_attempt_at = later(ANSWER_MS)
      const at = { invoiceId: due.invoice_id, state: due.state as InvoiceState, attempts: due.attempts }
      await changeInvoice(trx, at, { ...change, next_attempt_at })
      return { ...due, ...change, next_attempt_at }
    })

  async function tellOfDecline(trx: Transaction<Schema>, invoice: Due, problem: string): Promise<void> {
    for (const reader of await readersOfBills(trx, invoice.organisation_id)) {
      const { email: to, account_id: accountId, account_name: accountName } = reader
      const usd = usdOfCents(invoice.due_cents)
      const details = { accountId, accountName, usd, number: invoice.number, problem }
      if (to !== null) await mails.write(trx, { to, accountId, kind: 'paymentFailed', details })
    }
  }

  async function settle(invoice: Due, outcome: ChargeOutcome): Promise<string[]> {
    const at = {
      invoiceId: invoice.invoice_id,
      state: 'charging',
      attempts: invoice.attempts,
    } as const
    if (outcome.state === 'processing') {
      await changeInvoice(db, at, { next_attempt_at: later(ASK_AGAIN_MS) })
      return []
    }
    return db.transaction().execute(async (trx) => {
      const now = clock.now()
      if (outcome.state === 'succeeded') {
        await changeInvoice(trx, at, {
          state: after('charging', 'pay'),
          charge_ref: outcome.chargeRef,
          paid_at: now,
          problem: null,
          next_attempt_at: null,
        })
        return []
      }
      const days = RETRY_DAYS[invoice.declines]
      const isChanged = await changeInvoice(trx, at, {
        state: after('charging', days === undefined ? 'give up' : 'decline'),
        declines: invoice.declines + 1,
        problem: outcome.problem,
        next_attempt_at: days === undefined ? null : later(days * DAY_MS),
      })
      if (!isChanged) return []
      await tellOfDecline(trx, invoice, outcome.problem)
      if (days !== undefined) return []
      const organisationId = invoice.organisation_id
      return moveAccountsOf(trx, { organisationId, move: 'freeze', at: now, reason: 'unpaid' })
    })
  }

  async function send(invoice: Due, to: PaymentProvider): Promise<void> {
    let outcome: ChargeOutcome
    try {
      outcome = await to.charge({
        customerRef: invoice.customer_ref,
        cardRef: invoice.card_ref ?? invoice.bound_card_ref,
        cents: invoice.due_cents,
        description: `Invoice ${invoice.number}`,
        key: invoice.invoice_id,
        attempt: invoice.attempts,
      })
    } catch (error) {
      log.warn({ err: error, invoice: invoice.number }, 'the payment provider did not answer; asked again')
      outcome = { state: 'processing' }
    }
    onMoved(await settle(invoice, outcome))
  }

  async function chargeDue(organisationId?: string): Promise<void> {
    if (!provider) return
    for (let i = 0; i < AT_ONCE; i++) {
      const invoice = await beginTry(provider, organisationId)
      if (!invoice) return
      await send(invoice, provider)
    }
  }

  return {
    chargeDue,

    /** The provider tells that something happened to a charge; false when it is none of ours. */
    async followRef(intentRef: string): Promise<boolean> {
      const invoiceId = provider ? await chargeKeyOf(db, intentRef) : undefined
      if (!provider || invoiceId === undefined) return false
      const organisationId = await hastenInvoice(db, { invoiceId, provider: provider.id }, clock.now())
      if (organisationId !== null) await chargeDue(organisationId)
      return true
    },

    /** ACCOUNT-83: a card that owes nothing resumes what was frozen for want of one. */
    async resumePaid(): Promise<void> {
      if (!provider) return
      for (const organisationId of await paidButFrozen(db, provider.id, AT_ONCE)) {
        const moved = await db.transaction().execute((trx) =>
          moveAccountsOf(trx, {
            organisationId,
            move: 'resume',
            at: clock.now(),
            frozenFor: ['trial ended', 'unpaid'],
          }),
        )
        onMoved(moved)
      }
    },
  }
}

export type Charging = ReturnType<typeof createCharging>
