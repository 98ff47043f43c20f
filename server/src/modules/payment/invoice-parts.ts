import type { InvoicePart } from '@boathouse/contract'
import { microUsdOfParts, type Units, usdOfMicros } from '../../kernel/money.ts'
import { microUsdOf } from '../warehouse/prices.ts'
import type { InvoiceRow, LineRow } from './invoice-store.ts'
import { unitsOf } from './units.ts'

const unitsOfLine = (line: LineRow): Units =>
  unitsOf(line.ccu_seconds, microUsdOf(line.usd_per_ccu)) + BigInt(line.storage_units)

/** What each line costs; together they are the usage of the invoice, to the last place. */
export const usdOfLines = (lines: readonly LineRow[]): string[] =>
  microUsdOfParts(lines.map(unitsOfLine)).map(usdOfMicros)

/** From what was used to what is due: added up they are the amount, to the last place. Parts of nothing are left out. */
export function partsOfInvoice(invoice: InvoiceRow, lines: readonly LineRow[]): InvoicePart[] {
  const trial = lines.filter((line) => line.in_trial).reduce((all, line) => all + unitsOfLine(line), 0n)
  const parts: readonly (readonly [InvoicePart['kind'], Units])[] = [
    ['usage', BigInt(invoice.usage_units)],
    ['trial', -trial],
    ['discount', -BigInt(invoice.discount_units)],
    ['balance', trial - BigInt(invoice.credit_units)],
    ['carriedIn', BigInt(invoice.carried_in_units)],
    ['carriedOut', -BigInt(invoice.carried_out_units)],
  ]
  const micros = microUsdOfParts(parts.map(([, units]) => units))
  return parts.flatMap(([kind], index) => {
    const shown = micros[index] ?? 0n
    return kind !== 'usage' && shown === 0n ? [] : [{ kind, usd: usdOfMicros(shown) }]
  })
}
