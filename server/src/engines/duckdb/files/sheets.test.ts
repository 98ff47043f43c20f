import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { cells, openSession, ownEngine, rowsUpTo, testSpace } from '../../conformance/fixture.ts'
import { asFound, inspect, load, READING, upload } from '../../conformance/files.ts'
import type { FileReading } from '../../engine/files.ts'
import { createInProcessDuckdb } from '../in-process.ts'
import { packed, partsOf, sayingOf, spreadsheet } from '../../../testing/spreadsheet.ts'

const provider = createInProcessDuckdb()
afterAll(() => provider.close())

const XLSX = { format: 'xlsx' } as const

async function opened() {
  const space = await testSpace()
  const engine = await ownEngine({ provider, kill: () => undefined }, space)
  const session = await openSession(engine)
  const look = async (content: Buffer, reading: Partial<FileReading> = {}) =>
    inspect(session, await upload(space.directory, content), { ...XLSX, ...reading })
  const said = async (content: Buffer, reading: Partial<FileReading> = {}) => {
    const outcome = await look(content, reading)
    return outcome.state === 'failed' ? outcome.error.message : outcome.state
  }
  const temporary = async () => {
    const [folder = ''] = await readdir(join(space.directory, 'tmp'))
    return readdir(join(space.directory, 'tmp', folder))
  }
  return { space, session, look, said, temporary }
}

const columnsIn = (outcome: unknown) =>
  (outcome as { result: { columns: { name: string; type: string }[] } }).result.columns.map(
    ({ name, type }) => `${name} ${type}`,
  )
const rowsIn = (outcome: unknown) => (outcome as { result: { rows: unknown } }).result.rows

const number = (value: number | string, style = 0) => `<c s="${style}"><v>${value}</v></c>`
const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
const shared = (at: number) => `<c t="s"><v>${at}</v></c>`
const row = (...cellsOfRow: string[]) => `<row>${cellsOfRow.join('')}</row>`

const STYLES = `<numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm\\-dd hh:mm"/><numFmt numFmtId="171" formatCode="&quot;days&quot; 0"/></numFmts>
  <cellStyleXfs><xf numFmtId="22"/></cellStyleXfs>
  <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="20"/><xf numFmtId="46"/><xf numFmtId="171"/></cellXfs>`

test('a sheet has the types of its cells, in all rows, and is loaded with its rows as they are', async () => {
  const { space, session, temporary } = await opened()
  const many = Array.from({ length: 3_000 }, () => row(number(7))).join('')
  const book = await spreadsheet({
    styles: STYLES,
    texts: '<si><t>id</t></si><si><r><t>no</t></r><r><t>te</t></r><rPh sb="0" eb="1"><t>said</t></rPh></si>',
    sheets: {
      first: [
        row(
          shared(0),
          shared(1),
          text('day'),
          text('at'),
          text('clock'),
          text('hours'),
          text('ok'),
          text('code'),
        ),
        row(
          number(1),
          text('a "quoted", line&#10;and _x000D_ more &amp;'),
          number(45_413, 1),
          number(45_413.5, 2),
          number(0.75, 3),
          number(1.5, 4),
          '<c t="b"><v>1</v></c>',
          text('007'),
        ),
        '<row r="9"><c r="A9"><v>2.0</v></c><c r="C9" s="1"><v>59</v></c><c r="H9" t="str"><f>"x"</f><v>x</v></c><c r="XFD9" s="1"/></row>',
        many,
        row(number('2.5')),
      ].join(''),
    },
  })
  const file = await upload(space.directory, book)
  const found = await inspect(session, file, XLSX)
  expect(columnsIn(found)).toEqual([
    'id DOUBLE',
    'note VARCHAR',
    'day DATE',
    'at TIMESTAMP',
    'clock TIME',
    'hours DOUBLE',
    'ok BOOLEAN',
    'code VARCHAR',
  ])
  expect(found).toMatchObject({ file: { sheets: ['first'], reading: { sheet: 'first', header: true } } })
  const first = [
    '1.0',
    'a "quoted", line\nand \r more &',
    '2024-05-01',
    '2024-05-01 12:00:00',
    '18:00:00',
    '1.5',
    'true',
    '007',
  ]
  expect((rowsIn(found) as unknown[])[0]).toEqual(first)
  expect(await load(session, { file, table: 'sheet', ...asFound(found) })).toMatchObject({
    state: 'finished',
    result: { rowsChanged: 3_003 },
    file: { rejected: [] },
  })
  expect(await cells(session, 'SELECT * FROM sheet LIMIT 2')).toEqual([
    first,
    ['2.0', null, '1900-02-28', null, null, null, null, 'x'],
  ])
  expect(await temporary()).toEqual([])
})

test('another sheet, a first row that is data, days from 1904 on and names that are missing or the same', async () => {
  const { look, said } = await opened()
  const book = await spreadsheet({
    styles: STYLES,
    workbook: '<workbookPr date1904="1"/>',
    sheets: {
      empty: '',
      'Two &amp; more':
        row(text('name'), '<c/>', text('Name'), text('in\ntwo  lines')) + row(number(0, 1), number(3)),
    },
  })
  expect(await said(book)).toBe('The sheet empty is empty: there is nothing to load. Choose another one.')
  expect(await said(book, { sheet: 'three' })).toContain('There is no sheet three in this file.')
  const found = await look(book, { sheet: 'Two & more' })
  expect(columnsIn(found)).toEqual(['name DATE', 'B BIGINT', 'Name_1 VARCHAR', 'in two lines VARCHAR'])
  expect(rowsIn(found)).toEqual([['1904-01-01', '3', null, null]])
  const asData = await look(book, { sheet: 'Two & more', header: false })
  expect(columnsIn(asData)).toEqual(['A VARCHAR', 'B BIGINT', 'C VARCHAR', 'D VARCHAR'])
  expect(rowsIn(asData)).toEqual([
    ['name', null, 'Name', 'in\ntwo  lines'],
    ['1904-01-01', '3', null, null],
  ])
})

test('values that do not fit and formulas that failed are left out with the number of their row', async () => {
  const { space, session } = await opened()
  const broken =
    '<row r="5"><c r="A5" t="e"><v>#DIV/0!</v></c></row><row r="8"><c r="A8" t="inlineStr"><is><t>x</t></is></c></row>'
  const file = await upload(
    space.directory,
    await spreadsheet({ sheets: { s: row(text('n')) + row(number(1)) + broken } }),
  )
  const found = asFound(await inspect(session, file, XLSX))
  const columns = [{ name: 'n', type: 'BIGINT', into: 'n' }]
  const loading = { ...found, columns, file, table: 'kept' }
  expect(await load(session, loading)).toMatchObject({
    state: 'failed',
    error: { message: expect.stringContaining('nothing was loaded. The first is line 5') },
  })
  expect(await load(session, { ...loading, mostRejected: 2 })).toMatchObject({
    state: 'finished',
    result: { rowsChanged: 1 },
    file: {
      rejected: [
        { line: 5, column: 'n', reason: 'The value of n is not of the type BIGINT.', text: '#DIV/0!' },
        { line: 8, column: 'n', text: 'x' },
      ],
    },
  })
})

test('a bomb, ten thousand columns, too many texts and what is no spreadsheet end with a sentence', async () => {
  const { said, temporary } = await opened()
  const parts = partsOf({ sheets: { s: row(number(1)) }, texts: '<si><t>a</t></si>' })
  const good = await packed(parts)
  const sheet = 'xl/worksheets/sheet1.xml'
  expect(await said(sayingOf(good, sheet, 4_200_000_000))).toBe(
    'The sheet s of this spreadsheet has 4,200 MB unpacked, and at most 4,000 MB are read. Save the sheet as CSV (UTF-8) and upload that.',
  )
  expect(await said(sayingOf(good, 'xl/sharedStrings.xml', 2_000_000_000))).toContain(
    'The list of texts of this spreadsheet has 2,000 MB unpacked',
  )
  // It claims to be small, but unpacks to 50 MB.
  const bomb = await packed({ ...parts, [sheet]: Buffer.alloc(50_000_000, ' ') })
  expect(bomb.length).toBeLessThan(1_000_000)
  expect(await said(sayingOf(bomb, sheet, 1_000))).toContain('This spreadsheet is damaged')
  expect(await said(bomb)).toContain('is longer than a cell holds')
  const nested = await packed({ ...parts, [sheet]: '<a>'.repeat(100_000) })
  expect(await said(nested)).toContain('nested too deep')
  const texts = `<si><t>${'long '.repeat(6_000)}</t></si>`.repeat(4_600)
  expect(await said(await packed({ ...parts, 'xl/sharedStrings.xml': `<sst>${texts}</sst>` }))).toContain(
    'more than 128 MB together',
  )
  const wide = row(...Array.from({ length: 10_000 }, () => number(1)))
  expect(await said(await spreadsheet({ sheets: { s: wide } }))).toBe(
    'Row 1 of the sheet has a value in column 4097 (FAO); a table that is loaded has at most 4096 columns. Split the sheet.',
  )
  const entity = '<!DOCTYPE a [<!ENTITY e "e">]><worksheet><sheetData/></worksheet>'
  expect(await said(await packed({ ...parts, [sheet]: entity }))).toContain('defines a document type')
  expect(await said(await packed({ ...parts, [sheet]: '<worksheet><sheetData>' }))).toContain('damaged')
  expect(await said(good.subarray(0, good.length - 30))).toContain('it is no complete archive')
  expect(await said(await packed({ 'readme.txt': 'hello' }))).toContain('the archive holds no workbook')
  expect(await said(await spreadsheet({ sheets: { s: row(shared(3)) } }))).not.toBe('finished')
  expect(await said(Buffer.from('a,b\n1,2\n'))).toContain(
    'This is not XLSX: the file does not begin as an archive',
  )
  expect(await said(good, { format: 'csv' })).toContain('Load it as XLSX.')
  expect(await said(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1]))).toContain(
    'an old form (XLS) or one with a password',
  )
  expect(await temporary()).toEqual([])
})

test('a spreadsheet that is being read can be cancelled', async () => {
  const { space, session, temporary } = await opened()
  const rows = row(...Array.from({ length: 20 }, () => number(1))).repeat(100_000)
  const file = await upload(space.directory, await spreadsheet({ sheets: { s: rows } }))
  const order = {
    does: 'inspect',
    file,
    reading: { ...READING, ...XLSX },
    rows: 10,
    sampleBytes: null,
  } as const
  const run = session.execute(`INSPECT FILE 'f'`, { ...rowsUpTo(10), file: order })
  const folder = async () => (await temporary()).length
  await expect.poll(folder, { interval: 5, timeout: 30_000 }).toBeGreaterThan(0)
  await run.cancel()
  expect(await run.outcome).toMatchObject({ state: 'cancelled' })
  expect(await temporary()).toEqual([])
  expect(await cells(session, 'SELECT 1')).toEqual([['1']])
})
