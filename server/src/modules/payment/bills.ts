import {
  type Input,
  type Invoice,
  LIMITS,
  type InvoiceState,
  type Output,
  type payment,
} from '@boathouse/contract'
import type { Kysely } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Schema } from '../../store/schema.ts'
import type { Usage } from '../usage/service.ts'
import { microUsdOf } from '../warehouse/prices.ts'
import { cardOf } from './card-store.ts'
import { shownCard } from './cards.ts'
import { paymentTypeOf } from './closing.ts'
import { invoiceCsv, invoicePdf, receiptPdf } from './invoice-file.ts'
import { balanceOf, invoiceOf, type InvoiceRow, invoicesOf, linesOf } from './invoice-store.ts'
import { monthAfter, monthOf, monthText } from './month.ts'
import { accountsOf, trialOf } from './payer-store.ts'
import { requireRoot } from './require-root.ts'
import { ccuText, usdOfCents, usdOfUnits } from './units.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const PACE_DAYS = 7

export interface BillOptions {
  readonly db: Kysely<Schema>
  readonly usage: Usage
  /** Null where no cards can be bound. */
  readonly providerId: string | null
  readonly clock: Clock
}

const hasReceipt = (row: InvoiceRow): boolean => row.paid_at !== null && row.charge_ref !== null

const shown = (row: InvoiceRow): Invoice => ({
  invoiceId: row.invoice_id,
  number: row.number,
  month: row.month.slice(0, 7),
  state: row.state as InvoiceState,
  closedAt: row.closed_at.toISOString(),
  ccu: ccuText(row.ccu_seconds),
  usageUsd: usdOfUnits(BigInt(row.usage_units)),
  dueUsd: usdOfCents(row.due_cents),
  paidAt: row.paid_at?.toISOString() ?? null,
  nextAttemptAt: row.state === 'retrying' ? (row.next_attempt_at?.toISOString() ?? null) : null,
  problem: row.problem,
  hasReceipt: hasReceipt(row),
})

/** Millionths of a USD as cents, rounded. */
const cents = (micro: number): string => usdOfCents(Math.round(micro / 10_000))

/** What the organisation pays: seen in its root account alone. */
export function createBills({ db, usage, providerId, clock }: BillOptions) {
  /** What was used so far, and the days that are left at the pace of the last seven. */
  async function forecast(accountIds: readonly string[], soFarMicro: number): Promise<string | null> {
    const now = clock.now()
    const since = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS - PACE_DAYS * DAY_MS)
    const used = microUsdOf((await usage.used(accountIds, since, now)).usd)
    const pace = (used + (await usage.storedMicros(accountIds, since, now))) / PACE_DAYS
    if (pace === 0 && soFarMicro === 0) return null
    const daysLeft = (monthAfter(monthOf(now)).getTime() - now.getTime()) / DAY_MS
    return cents(soFarMicro + Math.round(pace * daysLeft))
  }

  async function trialCredit(organisationId: string, accountIds: readonly string[]) {
    const trial = await trialOf(db, organisationId)
    if (!trial || trial.ended_at) return null
    const start = new Date(Math.floor(trial.started_at.getTime() / HOUR_MS) * HOUR_MS)
    const used = microUsdOf((await usage.used(accountIds, start, clock.now())).usd)
    const left = Math.max(0, LIMITS.trialUsd * 1_000_000 - used)
    return {
      usd: usdOfCents(LIMITS.trialUsd * 100),
      leftUsd: cents(left),
      endsAt: trial.ends_at.toISOString(),
    }
  }

  return {
    async overview(actor: Actor): Promise<Output<typeof payment.overview>> {
      const payer = await requireRoot(db, actor)
      const { organisationId } = payer
      const accountIds = (await accountsOf(db, organisationId)).map((one) => one.account_id)
      const now = clock.now()
      const month = monthOf(now)
      const { ccu, usd } = await usage.used(accountIds, month, now)
      const soFar = microUsdOf(usd) + (await usage.storedMicros(accountIds, month, now))
      const card = providerId === null ? undefined : await cardOf(db, organisationId, providerId)
      const paymentEnabled = providerId !== null
      const paymentType = paymentTypeOf(payer)
      return {
        organisation: payer.name,
        month: monthText(month),
        nextBillingAt: monthAfter(month).toISOString(),
        monthToDate: { ccu, usd: cents(soFar) },
        forecastUsd: await forecast(accountIds, soFar),
        ccuBalance: ccuText(await balanceOf(db, organisationId)),
        paymentType,
        trialCredit: await trialCredit(organisationId, accountIds),
        card: card ? shownCard(card) : null,
        paymentEnabled,
        mayBindCard: paymentEnabled && paymentType === 'direct' && actor.isOrgAdmin,
      }
    },

    async list(
      actor: Actor,
      page: Input<typeof payment.listInvoices>,
    ): Promise<Output<typeof payment.listInvoices>> {
      const { organisationId } = await requireRoot(db, actor)
      const { rows, total } = await invoicesOf(db, organisationId, page)
      return { invoices: rows.map(shown), total }
    },

    /** BILL-08, BILL-09 */
    async file(
      actor: Actor,
      { invoiceId, file }: Input<typeof payment.invoiceFile>,
    ): Promise<Output<typeof payment.invoiceFile>> {
      const { organisationId } = await requireRoot(db, actor)
      const row = await invoiceOf(db, organisationId, invoiceId)
      if (!row) throw new AppError('NotFound', 'There is no such invoice.')
      const answer = (content: Buffer, ending: 'pdf' | 'csv') => ({
        fileName: `${file === 'receipt' ? 'receipt' : 'invoice'}-${row.number}.${ending}`,
        mediaType: ending === 'pdf' ? 'application/pdf' : 'text/csv',
        base64: content.toString('base64'),
      })
      if (file === 'receipt') {
        if (!row.paid_at || !hasReceipt(row))
          throw new AppError(
            'NotFound',
            `The invoice ${row.number} was not paid by a card: it has no receipt.`,
          )
        return answer(receiptPdf(row, row.paid_at), 'pdf')
      }
      const lines = await linesOf(db, invoiceId)
      return file === 'csv' ? answer(invoiceCsv(row, lines), 'csv') : answer(invoicePdf(row, lines), 'pdf')
    },
  }
}

export type Bills = ReturnType<typeof createBills>
