import { EDITION_NAMES, type Edition, type InvoicePart } from '@boathouse/contract'
import { usdOfCents } from '../../kernel/money.ts'
import { gbMonthsText } from '../storage/prices.ts'
import { percentText } from './discounts.ts'
import { partsOfInvoice, usdOfLines } from './invoice-parts.ts'
import type { InvoiceRow, LineRow } from './invoice-store.ts'
import type { PdfPage, PdfSource, PdfText } from './printing/document.ts'
import { ccuText } from './units.ts'

const LINES_PER_PAGE = 44
const LINES_BESIDE_SUMS = 36
const FIRST_LINE_Y = 238
const LINE_HEIGHT = 13
const LEFT = 48
const COLUMNS = { account: LEFT, warehouse: 150, month: 262, size: 308, ccu: 420, price: 478, usd: 547 }
const GAP = 8

const day = (at: Date): string => at.toISOString().slice(0, 10)
const isStorage = (line: LineRow): boolean => line.warehouse_id === null
/** Without the zeros at its end, as prices are written. */
const priceText = (usd: string): string =>
  usd.replace(/0+$/, '').replace(/(\.\d?)$/, (end) => end.padEnd(3, '0'))
const amountOf = (line: LineRow): string =>
  isStorage(line) ? gbMonthsText(BigInt(line.byte_hours), line.month) : ccuText(line.ccu_seconds)

function head(invoice: InvoiceRow, title: string, facts: readonly (readonly [string, string])[]): PdfText[] {
  return [
    { x: LEFT, y: 64, text: 'Boathouse', size: 18, bold: true },
    { x: LEFT, y: 96, text: title, size: 14, bold: true },
    { x: LEFT, y: 116, text: invoice.organisation_name, size: 10 },
    ...facts.flatMap(([name, value], index): PdfText[] => [
      { x: LEFT, y: 140 + index * LINE_HEIGHT, text: name },
      { x: 150, y: 140 + index * LINE_HEIGHT, text: value },
    ]),
  ]
}

const columnHeads: readonly PdfText[] = [
  { x: COLUMNS.account, y: 222, text: 'Account', bold: true },
  { x: COLUMNS.warehouse, y: 222, text: 'Warehouse', bold: true },
  { x: COLUMNS.month, y: 222, text: 'Month', bold: true },
  { x: COLUMNS.size, y: 222, text: 'Size', bold: true },
  { x: COLUMNS.ccu, y: 222, text: 'CCU or GB', bold: true, right: true },
  { x: COLUMNS.price, y: 222, text: 'Price', bold: true, right: true },
  { x: COLUMNS.usd, y: 222, text: 'USD', bold: true, right: true },
]

const rowOf = (line: LineRow, usd: string, y: number): PdfText[] => [
  { x: COLUMNS.account, y, text: line.used_by_name, width: COLUMNS.warehouse - COLUMNS.account - GAP },
  {
    x: COLUMNS.warehouse,
    y,
    text: isStorage(line) ? 'Storage' : line.warehouse_name,
    width: COLUMNS.month - COLUMNS.warehouse - GAP,
  },
  { x: COLUMNS.month, y, text: line.month.slice(0, 7) },
  { x: COLUMNS.size, y, text: line.size },
  { x: COLUMNS.ccu, y, text: amountOf(line), right: true },
  { x: COLUMNS.price, y, text: priceText(line.usd_per_gb_month ?? line.usd_per_ccu), right: true },
  { x: COLUMNS.usd, y, text: usd, right: true },
]

const PARTS: Readonly<Record<InvoicePart['kind'], string>> = {
  usage: 'Usage',
  trial: 'Free trial',
  discount: 'Discount',
  balance: 'Paid from the CCU balance',
  carriedIn: 'Carried from the last invoice',
  carriedOut: 'Carried to the next invoice',
}

/** Line by line what makes the amount; nothing else is added to it. */
function sums(invoice: InvoiceRow, lines: readonly LineRow[], y: number): PdfText[] {
  const rows = partsOfInvoice(invoice, lines).map(({ kind, usd }) => [PARTS[kind], usd] as const)
  rows.push(['Amount due, USD', usdOfCents(invoice.due_cents)])
  return rows.flatMap(([name, value], index): PdfText[] => {
    const bold = index === rows.length - 1
    return [
      { x: 308, y: y + index * LINE_HEIGHT, text: name, bold },
      { x: COLUMNS.usd, y: y + index * LINE_HEIGHT, text: value, bold, right: true },
    ]
  })
}

const STATES: Readonly<Record<string, string>> = {
  open: 'due',
  charging: 'being charged',
  retrying: 'due',
  unpaid: 'unpaid',
  paid: 'paid',
  elsewhere: 'billed by contract or marketplace',
}

export function invoicePdf(invoice: InvoiceRow, lines: readonly LineRow[]): PdfSource {
  const title = `Invoice ${invoice.number}`
  const facts = [
    ['Month', `${invoice.month.slice(0, 7)}, UTC`],
    ['Date', day(invoice.closed_at)],
    ['State', STATES[invoice.state] ?? invoice.state],
    ['Compute', `${ccuText(invoice.ccu_seconds)} CCU`],
  ] as const
  const edition = lines[0]?.edition as Edition | undefined
  const more = edition ? ([['Edition', EDITION_NAMES[edition]]] as const) : []
  const usd = usdOfLines(lines)
  const pages: PdfPage[] = []
  for (let from = 0; from < Math.max(1, lines.length); from += LINES_PER_PAGE) {
    const part = lines.slice(from, from + LINES_PER_PAGE)
    const isLast = from + LINES_PER_PAGE >= lines.length
    const hasRoom = part.length <= LINES_BESIDE_SUMS
    const end = FIRST_LINE_Y + part.length * LINE_HEIGHT
    pages.push([
      ...head(invoice, title, [...facts, ...more]),
      ...columnHeads,
      ...part.flatMap((line, index) =>
        rowOf(line, usd[from + index] ?? '', FIRST_LINE_Y + index * LINE_HEIGHT),
      ),
      ...(isLast && hasRoom ? sums(invoice, lines, end + LINE_HEIGHT) : []),
    ])
    if (isLast && !hasRoom)
      pages.push([...head(invoice, title, [...facts, ...more]), ...sums(invoice, lines, FIRST_LINE_Y)])
  }
  return { title, at: invoice.closed_at, pages }
}

/** For an invoice that was paid by card. */
export function receiptPdf(invoice: InvoiceRow, paidAt: Date): PdfSource {
  const title = `Receipt for invoice ${invoice.number}`
  const card = `${invoice.card_brand ?? 'Card'} ending in ${invoice.card_last_digits ?? '----'}`
  const page = head(invoice, title, [
    ['Month', `${invoice.month.slice(0, 7)}, UTC`],
    ['Paid', `${day(paidAt)} by ${card}`],
    ['Reference', invoice.charge_ref ?? ''],
    ['Amount', `${usdOfCents(invoice.due_cents)} USD`],
  ])
  return { title, at: paidAt, pages: [page] }
}

/** A cell that a spreadsheet would take for a formula is marked as text. */
function csvCell(value: string | number | boolean): string {
  const text = String(value)
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const CSV_COLUMNS = [
  'invoice',
  'month',
  'account_id',
  'account',
  'warehouse',
  'size',
  'edition',
  'seconds',
  'ccu_seconds',
  'usd_per_ccu',
  'usd',
  'free_trial',
  'ccu_seconds_from_balance',
  'kind',
  'gb_months',
  'usd_per_gb_month',
  'discount_percent',
] as const

export function invoiceCsv(invoice: InvoiceRow, lines: readonly LineRow[]): Buffer {
  const usd = usdOfLines(lines)
  const rows = lines.map((line, index) => [
    invoice.number,
    line.month.slice(0, 7),
    line.used_by,
    line.used_by_name,
    line.warehouse_name,
    line.size,
    line.edition,
    line.seconds,
    line.ccu_seconds,
    Number(line.usd_per_ccu),
    usd[index] ?? '',
    line.in_trial,
    line.balance_ccu_seconds,
    isStorage(line) ? 'storage' : 'compute',
    isStorage(line) ? gbMonthsText(BigInt(line.byte_hours), line.month) : '',
    line.usd_per_gb_month ?? '',
    percentText(line.discount_basis_points),
  ])
  return Buffer.from([CSV_COLUMNS, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join(''))
}
