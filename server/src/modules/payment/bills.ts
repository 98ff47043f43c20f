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
import { UNITS_PER_CENT, type Units, usdOfCents, usdOfUnits } from '../../kernel/money.ts'
import type { Schema } from '../../store/schema.ts'
import type { Usage } from '../usage/service.ts'
import { cardOf } from './card-store.ts'
import { shownCard } from './card-setups.ts'
import { paymentTypeOf } from './closing.ts'
import { discountsOf } from './discount-store.ts'
import { discountIn, percentText } from './discounts.ts'
import { invoiceCsv, invoicePdf, receiptPdf } from './invoice-file.ts'
import { balanceOf, invoiceOf, type InvoiceRow, invoicesOf, linesOf } from './invoice-store.ts'
import { chargedAt, dayText, monthAfter, monthOf, monthText } from './month.ts'
import { accountsOf, trialOf } from './payer-store.ts'
import type { PdfSource } from './printing/document.ts'
import type { Printer } from './printing/printer.ts'
import { requireRoot } from './require-root.ts'
import { ccuText } from './units.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const PACE_DAYS = 7

export interface BillOptions {
  readonly db: Kysely<Schema>
  readonly usage: Usage
  readonly printer: Pick<Printer, 'print'>
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

/** What the organisation pays: seen in its root account alone. */
export function createBills({ db, usage, printer, providerId, clock }: BillOptions) {
  /** What was used so far, and the days that are left at the pace of the last seven. */
  async function forecast(accountIds: readonly string[], soFar: Units): Promise<string | null> {
    const now = clock.now()
    const since = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS - PACE_DAYS * DAY_MS)
    const { units: ofLastDays } = await usage.used(accountIds, since, now)
    if (ofLastDays === 0n && soFar === 0n) return null
    const msLeft = monthAfter(monthOf(now)).getTime() - now.getTime()
    return usdOfUnits(soFar + (ofLastDays * BigInt(msLeft)) / BigInt(PACE_DAYS * DAY_MS))
  }

  async function trialCredit(organisationId: string, accountIds: readonly string[]) {
    const trial = await trialOf(db, organisationId)
    if (!trial || trial.ended_at) return null
    const start = new Date(Math.floor(trial.started_at.getTime() / HOUR_MS) * HOUR_MS)
    const { units } = await usage.used(accountIds, start, clock.now())
    const left = BigInt(LIMITS.trialUsd * 100) * UNITS_PER_CENT - units
    return {
      usd: usdOfCents(LIMITS.trialUsd * 100),
      leftUsd: usdOfUnits(left > 0n ? left : 0n),
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
      const { ccu, units: soFar } = await usage.used(accountIds, month, now)
      const discount = discountIn(await discountsOf(db, organisationId), dayText(month))
      const card = providerId === null ? undefined : await cardOf(db, organisationId, providerId)
      const paymentEnabled = providerId !== null
      const paymentType = paymentTypeOf(payer)
      return {
        organisation: payer.name,
        month: monthText(month),
        nextBillingAt: chargedAt(month).toISOString(),
        monthToDate: { ccu, usd: usdOfUnits(soFar) },
        forecastUsd: await forecast(accountIds, soFar),
        ccuBalance: ccuText(await balanceOf(db, organisationId)),
        paymentType,
        discountPercent: percentText(discount?.basis_points ?? 0),
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
      const print = (source: PdfSource) => printer.print(actor.accountId, source)
      if (file === 'receipt') {
        if (!row.paid_at || !hasReceipt(row))
          throw new AppError(
            'NotFound',
            `The invoice ${row.number} was not paid by a card: it has no receipt.`,
          )
        return answer(await print(receiptPdf(row, row.paid_at)), 'pdf')
      }
      const lines = await linesOf(db, invoiceId)
      if (file === 'csv') return answer(invoiceCsv(row, lines), 'csv')
      return answer(await print(invoicePdf(row, lines)), 'pdf')
    },
  }
}
