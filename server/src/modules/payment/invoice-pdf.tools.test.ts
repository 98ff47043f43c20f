import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hasPdfReader, readPdf } from '../../testing/read-pdf.ts'
import { invoicePdf, receiptPdf } from './invoice-file.ts'
import type { InvoiceRow, LineRow } from './invoice-store.ts'
import type { PdfSource } from './printing/document.ts'
import { printPdf } from './printing/print.ts'
import { unitsOf } from './units.ts'

const readBy = async (source: PdfSource): Promise<string[]> => readPdf(await printPdf(source))

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
const NOW = new Date('2028-03-01T00:00:30Z')
const ofLine = unitsOf(14_400, 1_580_000)

describe.skipIf(!hasPdfReader)('by pdftotext', () => {
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
    const [page = ''] = await readBy(receiptPdf(invoice(ofLine), NOW))
    const flat = page.replaceAll(/ +/g, ' ')
    expect(flat).toContain('Receipt for invoice 2028-02-ABC12345')
    expect(flat).toContain('Paid 2028-03-01 by Visa ending in 4242')
    expect(flat).toContain('Reference ch_1')
    expect(flat).toContain('Amount 6.32 USD')
  })

  test.each([
    ['Chinese', '赛艇俱乐部有限公司', '繁體中文龍龜'],
    ['Japanese', 'ボート部', 'さくら倉庫'],
    ['Korean', '조정 클럽', '창고'],
    ['Arabic', 'نادي التجديف', 'مستودع البيانات'],
    ['Hebrew', 'מועדון חתירה', 'מחסן'],
    ['Cyrillic', 'Гребной клуб «Ёлка»', 'Ґанок Љубав'],
    ['Greek', 'Ναυτικός Όμιλος', 'Ἀθῆναι'],
    ['Polish', 'Wioślarski Klub Łódź', 'żółć_ęąśćń'],
    ['Vietnamese', 'Câu lạc bộ chèo thuyền', 'dữ liệu'],
    ['Devanagari', 'हिन्दी नौकायन क्लब', 'क्षत्रिय डेटा'],
    ['Thai', 'สโมสรพายเรือ', 'คลัง'],
  ])('an invoice in %s is read back as it was written', async (_, club, warehouse) => {
    const row = { ...invoice(ofLine), organisation_name: club }
    const [page = ''] = await readBy(
      invoicePdf(row, [line({ used_by_name: club.slice(0, 9), warehouse_name: warehouse })]),
    )
    expect(page.normalize('NFC')).toContain(club)
    expect(page.normalize('NFC')).toContain(warehouse)
    expect(page).not.toMatch(/[?\ufffd]/)
  })

  test('a name cannot hide what follows, break the row or turn the direction', async () => {
    const club = 'Row\u202eing\u2066\u0000\r\nClub\t\ud800\u{10ffff}'
    const [page = ''] = await readBy(receiptPdf({ ...invoice(ofLine), organisation_name: club }, NOW))
    expect(page).toContain('Rowing Club ')
    expect(page).toContain('\ufffd')
  })

  test('a name that is too long for its column is cut with a mark, by its width', async () => {
    const [page = ''] = await readBy(
      invoicePdf({ ...invoice(ofLine), organisation_name: '艇'.repeat(200) }, [
        line({ used_by_name: 'W'.repeat(40), warehouse_name: '艇'.repeat(40) }),
        line({ used_by_name: 'i'.repeat(20), warehouse_name: 'etl_wh' }),
      ]),
    )
    expect(page).toMatch(/W{6,12}… +艇{8,12}… +2028-02/)
    expect(page).toMatch(/i{20} +etl_wh/)
    expect(page).toMatch(/艇{40,60}…/)
  })
})

test('a document holds the letters that it uses alone: it is small in every language', async () => {
  const club = '赛艇俱乐部 नौकायन نادي Клуб Όμιλος Łódź 조정'
  const lines = Array.from({ length: 88 }, () => line({ warehouse_name: club }))
  const plain = await printPdf(invoicePdf(invoice(ofLine), [line({})]))
  const many = await printPdf(invoicePdf({ ...invoice(ofLine), organisation_name: club }, lines))
  expect(plain.length).toBeLessThan(20_000)
  expect(many.length).toBeLessThan(80_000)
})

test('the same invoice is the same bytes, whenever it is fetched', async () => {
  const source = invoicePdf(invoice(ofLine), [line({})])
  expect((await printPdf(source)).equals(await printPdf(source))).toBe(true)
})
