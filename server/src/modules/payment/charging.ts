import type { InvoiceState } from '@boathouse/contract'
import type { ChargeOutcome, PaymentProvider } from '../../providers/payment/payment-provider.ts'
import { moveAccountsOf } from '../org/money.ts'
import { chargeKeyOf } from './intent-store.ts'
import { changeInvoice, hastenInvoice, takeDueInvoice } from './invoice-store.ts'
import { paidButFrozen } from './payer-store.ts'
import { MINUTE_MS, type ChargingOptions, type Due, after, createChargeOutcomes } from './charge-outcomes.ts'

const AT_ONCE = 20
/** A try whose answer was not recorded is sent again after this time. */
const ANSWER_MS = MINUTE_MS

/**
 * Charges invoices. The start of a try is recorded before the request to the provider, its answer afterwards; after a
 * crash in between the same try is sent again, and the provider repeats its answer. So nobody is charged twice.
 */
export function createCharging(options: ChargingOptions) {
  const { db, provider, clock, log, onMoved } = options
  const settle = createChargeOutcomes(options)
  const later = (ms: number): Date => new Date(clock.now().getTime() + ms)

  /** The next try to send, new or repeated. */
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

    /** The provider reports an event of a charge; false when it is not ours. */
    async followRef(intentRef: string): Promise<boolean> {
      const invoiceId = provider ? await chargeKeyOf(db, intentRef) : undefined
      if (!provider || invoiceId === undefined) return false
      const organisationId = await hastenInvoice(db, { invoiceId, provider: provider.id }, clock.now())
      if (organisationId !== null) await chargeDue(organisationId)
      return true
    },

    /** Resumes accounts that were frozen without a card, once a card has paid everything. */
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
