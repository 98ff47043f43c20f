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
import { changeInvoice, type takeDueInvoice } from './invoice-store.ts'

export const MINUTE_MS = 60_000

const DAY_MS = 24 * 60 * MINUTE_MS

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

export type Due = NonNullable<Awaited<ReturnType<typeof takeDueInvoice>>>

export function after(state: string, event: InvoiceEvent): InvoiceState {
  const next = invoiceStateAfter(state as InvoiceState, event)
  if (!next) throw new Error(`An invoice that is ${state} knows no ${event}.`)
  return next
}

/** Records what the provider answered to a charge. Answers the accounts that were frozen for it. */
export function createChargeOutcomes({ db, mails, clock }: Pick<ChargingOptions, 'db' | 'mails' | 'clock'>) {
  const later = (ms: number): Date => new Date(clock.now().getTime() + ms)

  async function mailDecline(trx: Transaction<Schema>, invoice: Due, problem: string): Promise<void> {
    for (const reader of await readersOfBills(trx, invoice.organisation_id)) {
      const { email: to, account_id: accountId, account_name: accountName } = reader
      const usd = usdOfCents(invoice.due_cents)
      const details = { accountId, accountName, usd, number: invoice.number, problem }
      if (to !== null) await mails.write(trx, { to, accountId, kind: 'paymentFailed', details })
    }
  }

  return async function settle(invoice: Due, outcome: ChargeOutcome): Promise<string[]> {
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
      await mailDecline(trx, invoice, outcome.problem)
      if (days !== undefined) return []
      const organisationId = invoice.organisation_id
      return moveAccountsOf(trx, { organisationId, move: 'freeze', at: now, reason: 'unpaid' })
    })
  }
}
