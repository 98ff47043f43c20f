import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, onTestFinished, expect, test } from 'vitest'
import { invoicePdf, receiptPdf } from './invoice-file.ts'
import type { InvoiceRow, LineRow } from './invoice-store.ts'
import { unitsOf } from './units.ts'

const READER = process.env['BOATHOUSE_TEST_PDFTOTEXT'] ?? '/usr/bin/pdftotext'
/** `scripts/test-tools.mjs` installs it where it can, and says where it cannot. */
const isThere = existsSync(READER)

async function readBy(pdf: Buffer): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'boathouse-pdf-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const path = join(directory, 'it.pdf')
  await writeFile(path, pdf)
  const { stdout, stderr } = await promisify(execFile)(READER, ['-layout', path, '-'])
  expect(stderr, 'what a reader finds wrong').toBe('')
  return stdout.split('\f').slice(0, -1)
}

const invoice = (usage: bigint): InvoiceRow => ({
  invoice_id: randomUUID(),
  organisation_id: randomUUID(),
  organisation_name: 'Søndre (Row) \\ Club',
  number: '2028-02-ABC12345',
  month: '2028-02-01',
  closed_at: new Date('2028-03-01T00:00:10Z'),
  state: 'paid',
  provider: 'local',
  usage_units: String(usage),
  discount_units: '0',
  credit_units: '0',
  carried_in_units: '1800',
  carried_out_units: String((usage + 1_800n) % 36_000_000n),
  ccu_seconds: 3_600,
  due_cents: Number((usage + 1_800n) / 36_000_000n),
  attempts: 1,
  declines: 0,
  next_attempt_at: null,
  problem: null,
  charge_ref: 'ch_1',
  card_ref: 'pm_1',
  card_brand: 'Visa',
  card_last_digits: '4242',
  paid_at: new Date('2028-03-01T00:00:30Z'),
})

const line = (change: Partial<LineRow>): LineRow => ({
  line_id: randomUUID(),
  organisation_id: randomUUID(),
  invoice_id: null,
  used_by: 'ABC12345',
  used_by_name: 'demo',
  warehouse_id: randomUUID(),
  warehouse_name: 'etl_wh',
  month: '2028-02-01',
  size: 'Medium',
  edition: 'standard',
  usd_per_ccu: '1.580000',
  in_trial: false,
  seconds: 3_600,
  ccu_seconds: 14_400,
  balance_ccu_seconds: 0,
  discount_basis_points: 0,
  discount_units: '0',
  byte_hours: '0',
  usd_per_gb_month: null,
  storage_units: '0',
  ...change,
})

const storage = line({
  warehouse_id: null,
  warehouse_name: '',
  size: '',
  usd_per_ccu: '0',
  seconds: 0,
  ccu_seconds: 0,
  byte_hours: '696000000000',
  usd_per_gb_month: '0.025000',
  storage_units: String(25_000n * 3_600n),
})
const ofLine = unitsOf(14_400, 1_580_000)

describe.skipIf(!isThere)('by pdftotext', () => {
  test('an invoice is read by a real reader, line by line, with its sums and signs of other languages', async () => {
    const [page = ''] = await readBy(invoicePdf(invoice(ofLine + 90_000_000n), [line({}), storage]))
    const flat = page.replaceAll(/ +/g, ' ')
    expect(flat).toContain('Invoice 2028-02-ABC12345')
    expect(flat).toContain('Søndre (Row) \\ Club')
    expect(flat).toContain('demo etl_wh 2028-02 Medium 4.000 1.58 6.320000')
    expect(flat).toContain('demo Storage 2028-02 1.000000 0.025 0.025000')
    expect(flat).toMatch(/Usage 6\.345000\n/)
    expect(flat).toMatch(/Carried to the next invoice -0\.005001\n/)
    expect(flat).toMatch(/Amount due, USD 6\.34\n/)
  })

  test.each([36, 37, 44, 45, 88, 89])(
    'an invoice of %i lines has all of them and its sums on its pages',
    async (count) => {
      const lines = Array.from({ length: count }, (_, index) => line({ warehouse_name: `wh_${index}` }))
      const pages = await readBy(invoicePdf(invoice(ofLine * BigInt(count)), lines))
      const all = pages.join('\n')
      for (let index = 0; index < count; index++) expect(all).toMatch(new RegExp(`\\bwh_${index}\\b`))
      expect(all.match(/Amount due, USD/g)).toHaveLength(1)
      expect(pages.at(-1)).toContain('Amount due, USD')
    },
  )

  test('a receipt is read by a real reader', async () => {
    const [page = ''] = await readBy(receiptPdf(invoice(ofLine), new Date('2028-03-01T00:00:30Z')))
    const flat = page.replaceAll(/ +/g, ' ')
    expect(flat).toContain('Receipt for invoice 2028-02-ABC12345')
    expect(flat).toContain('Paid 2028-03-01 by Visa ending in 4242')
    expect(flat).toContain('Reference ch_1')
    expect(flat).toContain('Amount 6.32 USD')
  })
})
