import type { Input, InvoiceLine, Output, payment, WarehouseSize } from '@boathouse/contract'
import type { Kysely } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { microUsdOfParts, microUsdOfUnits, usdOfMicros } from '../../kernel/money.ts'
import type { Schema } from '../../store/schema.ts'
import { gbMonthsText } from '../storage/prices.ts'
import { ccuSeconds, microUsdOf } from '../warehouse/prices.ts'
import { percentText } from './discounts.ts'
import { partsOfInvoice, usdOfLines } from './invoice-parts.ts'
import { hoursOf, invoiceOf, lineOf, type LineRow, linesOf } from './invoice-store.ts'
import { requireRoot } from './require-root.ts'
import { ccuText, unitsOf } from './units.ts'

const pageOf = <T>(all: readonly T[], { page, pageSize }: { page: number; pageSize: number }): T[] =>
  all.slice((page - 1) * pageSize, page * pageSize)

const shown = (line: LineRow, usd: string): InvoiceLine => ({
  lineId: line.line_id,
  accountId: line.used_by,
  account: line.used_by_name,
  warehouseId: line.warehouse_id,
  warehouse: line.warehouse_name,
  month: line.month.slice(0, 7),
  size: line.size,
  chargedSeconds: line.seconds,
  ccu: ccuText(line.ccu_seconds),
  gbMonths: line.warehouse_id === null ? gbMonthsText(BigInt(line.byte_hours), line.month) : null,
  price: line.usd_per_gb_month ?? line.usd_per_ccu,
  usd,
  inTrial: line.in_trial,
  ccuFromBalance: ccuText(line.balance_ccu_seconds),
  discountPercent: percentText(line.discount_basis_points),
})

/** What is behind the sums of an invoice, down to the hours of warehouses and of storage. */
export function createExplainedBills({ db }: { db: Kysely<Schema> }) {
  return {
    async lines(
      actor: Actor,
      question: Input<typeof payment.invoiceLines>,
    ): Promise<Output<typeof payment.invoiceLines>> {
      const { organisationId } = await requireRoot(db, actor)
      const invoice = await invoiceOf(db, organisationId, question.invoiceId)
      if (!invoice) throw new AppError('NotFound', 'There is no such invoice.')
      const rows = await linesOf(db, question.invoiceId)
      const usd = usdOfLines(rows)
      const lines = rows.map((row, index) => shown(row, usd[index] ?? ''))
      return {
        usd: usdOfMicros(microUsdOfUnits(BigInt(invoice.usage_units))),
        parts: partsOfInvoice(invoice, rows),
        total: rows.length,
        lines: pageOf(lines, question),
      }
    },

    async hours(
      actor: Actor,
      question: Input<typeof payment.lineHours>,
    ): Promise<Output<typeof payment.lineHours>> {
      const { organisationId } = await requireRoot(db, actor)
      const line = await lineOf(db, organisationId, question.lineId)
      if (!line) throw new AppError('NotFound', 'There is no such line of an invoice.')
      const rows = await hoursOf(db, line.line_id)
      const ccuSecondsOf = (seconds: number): number => ccuSeconds(line.size as WarehouseSize, seconds)
      const isStorage = line.warehouse_id === null
      const units = rows.map(({ seconds, storage_units }) =>
        isStorage ? BigInt(storage_units) : unitsOf(ccuSecondsOf(seconds), microUsdOf(line.usd_per_ccu)),
      )
      const micros = microUsdOfParts(units)
      const hours = rows.map(({ hour, seconds, bytes }, index) => ({
        hour: hour.toISOString(),
        chargedSeconds: seconds,
        ccu: ccuText(isStorage ? 0 : ccuSecondsOf(seconds)),
        bytes: isStorage ? bytes : null,
        usd: usdOfMicros(micros[index] ?? 0n),
      }))
      const usd = usdOfMicros(micros.reduce((all, one) => all + one, 0n))
      return { usd, total: rows.length, hours: pageOf(hours, question) }
    },
  }
}
