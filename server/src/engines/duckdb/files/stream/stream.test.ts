import { afterAll, beforeEach, expect, test } from 'vitest'
import { READING, upload } from '../../../conformance/files.ts'
import { openSession, ownEngine, rowsOf, rowsUpTo, testSpace } from '../../../conformance/fixture.ts'
import type { StreamPart } from '../../../engine/files.ts'
import type { ObjectUse } from '../../../engine/objects.ts'
import type { Outcome } from '../../../engine/outcome.ts'
import type { EngineSession } from '../../../engine/session.ts'
import { createInProcessDuckdb } from '../../in-process.ts'

const provider = createInProcessDuckdb()
afterAll(() => provider.close())

const CSV = { ...READING, delimiter: ',', quote: '', escape: '', header: false, skip: 0 }
const JSON_TEXT = { ...READING, format: 'json' as const }
const PLAIN: Omit<StreamPart, 'file' | 'table'> = {
  reading: CSV,
  columns: null,
  json: { paths: null, root: null, stripsArray: false },
  trims: false,
  where: null,
  mostFiltered: 0,
  isStrict: false,
  timeZone: null,
  reported: 10,
  wholeRows: null,
}

let directory: string
let session: EngineSession

beforeEach(async () => {
  const space = await testSpace()
  directory = space.directory
  session = await openSession(await ownEngine({ provider, kill: () => undefined }, space))
})

const run = (sql: string) => session.execute(sql, { ...rowsUpTo(100), takenFor: null }).outcome
const rows = async (sql: string) => (await rowsOf(session, sql)).rows

type Options = Partial<StreamPart> & {
  readonly isTrial?: boolean
  readonly authorize?: (uses: readonly ObjectUse[]) => Promise<{ message: string } | null>
}

async function load(
  content: string | Buffer,
  { authorize, isTrial = false, ...part }: Options = {},
): Promise<Outcome> {
  const file = await upload(directory, content)
  const one = { ...PLAIN, file, table: { catalog: 'default_catalog', database: 'main', name: 't' }, ...part }
  return session.execute(`STREAM LOAD 'l' INTO t`, {
    ...rowsUpTo(1),
    takenFor: 'writes',
    ...(authorize && { authorize }),
    file: { does: 'stream', reading: one.reading, parts: [one], isTrial },
  }).outcome
}

function countsOf(outcome: Outcome) {
  const counts = outcome.state === 'lost' ? undefined : outcome.file?.parts?.at(-1)
  if (!counts) throw new Error(JSON.stringify(outcome))
  return counts
}
const saidBy = (outcome: Outcome) => (outcome.state === 'failed' ? outcome.error.message : outcome.state)
const columns = (text: string) =>
  text.split(';').map((one) => {
    const [name = '', expression] = one.split('=').map((part) => part.trim())
    return { name, expression: expression ?? null }
  })

async function table(definition = 'id BIGINT, name VARCHAR') {
  await run('DROP TABLE IF EXISTS t')
  await run(`CREATE TABLE t (${definition})`)
}

test('expressions cannot read another table, select, aggregate, end early or name what the service keeps', async () => {
  await table()
  await run('CREATE OR REPLACE TABLE secret AS SELECT 42 AS x')
  for (const expression of [
    '(SELECT x FROM secret)',
    '(FROM secret)',
    '(TABLE secret)',
    'EXISTS (SELECT 1)',
    '1), x FROM secret, (SELECT 1',
    '1) FROM secret --',
    'sum(id)',
    'row_number() OVER ()',
    'unnest([1, 2])',
    'COLUMNS(*)',
    'a.x',
    '(SELECT rows_changed FROM boathouse_internal.effects)',
    "getenv('HOME')",
    "read_text('/etc/passwd')",
    '1; DROP TABLE secret',
  ]) {
    const outcome = await load('1,a\n', { columns: [...columns('id;_x'), { name: 'name', expression }] })
    expect([expression, outcome.state]).toEqual([expression, 'failed'])
    const where = await load('1,a\n', { where: expression })
    expect([expression, where.state]).toEqual([expression, 'failed'])
  }
  expect(await rows('SELECT count(*) FROM t')).toEqual([['0']])
  expect(await rows('SELECT count(*) FROM secret')).toEqual([['1']])
})

test('columns that are unknown, named twice or computed for nothing are refused by their names', async () => {
  await table()
  expect(saidBy(await load('1,a\n', { columns: columns('id;nam') }))).toContain('no column nam')
  expect(saidBy(await load('1,a\n', { columns: columns('id;ID') }))).toContain('named twice')
  expect(saidBy(await load('1,a\n', { columns: columns('id;name;other = id + 1') }))).toContain(
    'no column other',
  )
  expect(
    saidBy(await load('1,a\n', { table: { catalog: 'default_catalog', database: 'main', name: 'none' } })),
  ).toContain('no table main.none')
})

test('who may not insert is refused, and only the table is asked about', async () => {
  await table()
  const asked: ObjectUse[] = []
  const outcome = await load('1,a\n', {
    authorize: async (uses) => {
      asked.push(...uses)
      return { message: 'You may not.' }
    },
  })
  expect(outcome).toMatchObject({ state: 'failed', error: { kind: 'permission', message: 'You may not.' } })
  expect(asked).toMatchObject([{ action: 'insert', object: { name: 't' } }])
})

test('CSV: separators of several bytes and control characters, quotes, skipped lines, NULL and trimming', async () => {
  await table()
  await load('1\u0001a\n2\u0001\\N\n', { reading: { ...CSV, delimiter: '\u0001' } })
  await load('3||b, c\r\n', { reading: { ...CSV, delimiter: '||' } })
  await load('id,name\n4,"x, ""y"""\n', { reading: { ...CSV, quote: '"', escape: '"', skip: 1 } })
  await load(' 5 , z \n', { trims: true })
  await load('6, z \n')
  expect(await rows('SELECT * FROM t ORDER BY id')).toEqual([
    ['1', 'a'],
    ['2', null],
    ['3', 'b, c'],
    ['4', 'x, "y"'],
    ['5', 'z'],
    ['6', ' z '],
  ])
})

test('rows that do not fit are counted exactly, left out within the ratio and reported with their reasons', async () => {
  await table('id BIGINT NOT NULL, name VARCHAR, n INTEGER')
  const content = Buffer.concat([
    Buffer.from('1,a,1\n2,b,x\n3,c\n4,d,4,4\n,e,5\n'),
    Buffer.from([0x36, 0x2c, 0xff, 0xfe, 0x2c, 0x36, 0x0a]),
  ])
  const strict = await load(content, { isStrict: true, mostFiltered: 0.5 })
  expect(saidBy(strict)).toContain('too many filtered rows: 5 of 6')
  expect(countsOf(strict)).toMatchObject({ total: 6, loaded: 0, filtered: 5, unselected: 0 })
  expect(await rows('SELECT count(*) FROM t')).toEqual([['0']])
  const loose = await load(content, { mostFiltered: 0.7 })
  expect(countsOf(loose)).toMatchObject({ total: 6, loaded: 2, filtered: 4 })
  expect(countsOf(loose).rejected.map(({ reason }) => reason)).toEqual(
    expect.arrayContaining(['Values in the row: 2. Columns: 3.', 'id cannot be NULL.']),
  )
  expect(await rows('SELECT * FROM t ORDER BY id')).toEqual([
    ['1', 'a', '1'],
    ['2', 'b', null],
  ])
})

test('a text with NUL rejects its row, in CSV, JSON and what is computed', async () => {
  const reason = 'The value of name has a NUL character. Remove it.'
  await table()
  const csv = '1,a\n2,b\0c\n3,\n'
  expect(saidBy(await load(csv))).toContain(`too many filtered rows: 1 of 3, and max_filter_ratio is 0.`)
  const counts = countsOf(await load(csv, { mostFiltered: 0.5 }))
  expect(counts).toMatchObject({
    total: 3,
    loaded: 2,
    filtered: 1,
    rejected: [{ line: 2, column: 'name', reason }],
  })
  const json = '{"id": 4, "name": "d"}\n{"id": 5, "name": "e\\u0000"}\n'
  const inJson = countsOf(await load(json, { reading: JSON_TEXT, mostFiltered: 0.5 }))
  expect(inJson).toMatchObject({ loaded: 1, filtered: 1, rejected: [{ line: 2, reason }] })
  const computed = columns('id; name = chr(0)')
  expect(countsOf(await load('6\n', { columns: computed, mostFiltered: 1 }))).toMatchObject({ filtered: 1 })
  expect(await rows('SELECT id FROM t ORDER BY id')).toEqual([['1'], ['3'], ['4']])
})

test('computed columns and a condition: what is not selected is not rejected', async () => {
  await table('id BIGINT, name VARCHAR, total DOUBLE')
  const outcome = await load('1,2,x\n2,3,y\n3,oops,z\n', {
    columns: [
      ...columns('id;_price;_rest'),
      { name: 'name', expression: "upper(_rest) || ', ' || id" },
      { name: 'total', expression: '_price::DOUBLE * 2' },
    ],
    where: 'id <> 2 AND total IS NOT NULL',
  })
  expect(countsOf(outcome)).toMatchObject({ total: 3, loaded: 1, filtered: 0, unselected: 2 })
  expect(await rows('SELECT * FROM t')).toEqual([['1', 'X, 1', '4.0']])
})

test('an expression that differs each time is computed, also where other rows are left out', async () => {
  await table('id BIGINT NOT NULL, name VARCHAR, d DOUBLE')
  const random = [...columns('id;name'), { name: 'd', expression: 'random()' }]
  expect(countsOf(await load('1,a\n2,b\n', { columns: random }))).toMatchObject({ loaded: 2 })
  const some = { columns: random, where: 'random() < 2', mostFiltered: 0.5 }
  expect(countsOf(await load('3,a\n,b\n', some))).toMatchObject({ loaded: 1, filtered: 1 })
  expect(await rows('SELECT count(DISTINCT d), min(d) >= 0 FROM t')).toEqual([['3', 'true']])
})

test('data that is cut off or not UTF-8 is refused in words', async () => {
  await table()
  const reading = JSON_TEXT
  expect(saidBy(await load('[{"id": 13}, {"id": ', { reading }))).toBe(
    'The JSON ends in the middle of a record. Check that the whole body was sent.',
  )
  expect(saidBy(await load('[{"id": 13}, oops]', { reading }))).toContain('The JSON is broken.')
  const invalid = Buffer.from([0x5b, 0x7b, 0x22, 0x69, 0x64, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d, 0x5d])
  expect(saidBy(await load(invalid, { reading }))).toMatch(/not UTF-8|JSON is broken/)
  expect(await rows('SELECT count(*) FROM t')).toEqual([['0']])
})

test('JSON: lines, lists, several lines, paths, a root, and numbers that no type holds', async () => {
  await table('id BIGINT, name VARCHAR, d DOUBLE')
  const reading = JSON_TEXT
  const load1 = (content: string, part: Partial<StreamPart> = {}) => load(content, { reading, ...part })
  expect(countsOf(await load1('{"id": 1, "name": "a"}\n{"name": {"x": 1}, "id": "2"}\n'))).toMatchObject({
    loaded: 2,
  })
  expect(countsOf(await load1(' [{"id": 3}, {"id": 4}]'))).toMatchObject({ loaded: 2 })
  expect(countsOf(await load1('{\n "id": 5\n}\n{"id": 6}'))).toMatchObject({ loaded: 2 })
  const json = { paths: ['$.k.v', '$.l[0]'], root: '$.data', stripsArray: true }
  const found = await load1('{"data": [{"k": {"v": 7}, "l": ["x"]}, {"k": {"v": 8}}]}', {
    json,
    columns: columns('id;name'),
  })
  expect(countsOf(found)).toMatchObject({ loaded: 2 })
  const digits = '9'.repeat(400)
  expect(countsOf(await load1(`{"id": 9, "name": ${digits}}`))).toMatchObject({ loaded: 1 })
  expect(countsOf(await load1(`{"id": 10, "d": ${digits}}`, { isStrict: true }))).toMatchObject({
    loaded: 0,
    filtered: 1,
  })
  expect(countsOf(await load1(`{"id": 11, "d": 1e400}`))).toMatchObject({ loaded: 1 })
  expect(await rows('SELECT id, name, d FROM t ORDER BY id')).toEqual([
    ['1', 'a', null],
    ['2', '{"x":1}', null],
    ['3', null, null],
    ['4', null, null],
    ['5', null, null],
    ['6', null, null],
    ['7', 'x', null],
    ['8', null, null],
    ['9', digits, null],
    ['11', null, null],
  ])
  const broken = await load1('{"id": 12}\n{"id": oops}\n[1]\n', { mostFiltered: 0.9 })
  expect(countsOf(broken)).toMatchObject({ total: 3, loaded: 1, filtered: 2 })
  expect(saidBy(await load1('[{"id": 13}, {"id": '))).not.toBe('finished')
})

test('times without a zone are of the zone that is named, and the session keeps its own', async () => {
  await table('moment TIMESTAMPTZ')
  await load('2024-01-01 00:00:00\n', { timeZone: 'America/New_York' })
  expect(await rows("SELECT moment = TIMESTAMPTZ '2024-01-01 05:00:00+00' FROM t")).toEqual([['true']])
})

test('several loads in one file are loaded when all of them fit, and otherwise not at all', async () => {
  await table()
  expect(saidBy(await load('1,a\n2,b\n', { wholeRows: 3 }))).toContain('on its own')
  expect(saidBy(await load('1,a\nx,b\n', { wholeRows: 2 }))).toContain('on its own')
  expect(countsOf(await load('1,a\n2,b\n', { wholeRows: 2 }))).toMatchObject({ loaded: 2 })
  expect(await rows('SELECT count(*) FROM t')).toEqual([['2']])
})

test('a trial tells how rows would be loaded and loads none of them, also where some do not fit', async () => {
  await table('id BIGINT PRIMARY KEY, name VARCHAR')
  expect(countsOf(await load('1,a\n2,b\n', { isTrial: true }))).toMatchObject({ total: 2, loaded: 2 })
  const some = { isTrial: true, isStrict: true, mostFiltered: 0.5 }
  expect(countsOf(await load('1,a\nx,b\n', some))).toMatchObject({ total: 2, loaded: 1, filtered: 1 })
  expect((await load('1,a\n1,b\n', { isTrial: true })).state).toBe('failed')
  expect(await rows('SELECT count(*) FROM t')).toEqual([['0']])
  expect(countsOf(await load('1,a\n2,b\n'))).toMatchObject({ loaded: 2 })
  expect(await rows('SELECT count(*) FROM t')).toEqual([['2']])
})

test('an expression that cannot be read or bound is refused with the headers in which it stands', async () => {
  await table()
  const refused = async (part: Partial<StreamPart>) => saidBy(await load('1,a\n', part))
  expect(await refused({ columns: columns('id;_n;name=upper(') })).toBe(
    'columns, where: This is not an expression: upper(',
  )
  expect(await refused({ columns: columns('id;_n;name=uper(_n)') })).toMatch(/^columns, where: .*uper/)
  expect(await refused({ where: 'idd > 1' })).toMatch(/^columns, where: .*idd/)
})

const DIGITS = '1234567890123456.7891'
const LONG_DIGITS = '1234567890123456789012345678.0123456789'

test.each<readonly [string, Options, (record: string) => string]>([
  ['a line each', {}, (record) => `${record}\n`],
  ['a list', {}, (record) => `[${record}, ${record}]`],
  ['a record over several lines', {}, (record) => record.replaceAll(', "', ',\n"')],
  [
    'below a root',
    { json: { paths: null, root: '$.all', stripsArray: true } },
    (record) => `{"n": 1.5, "all": [${record}]}\n`,
  ],
  [
    'by paths',
    { json: { paths: ['$.d', '$.dd', '$.s', '$.t', '$.h', '$.j'], root: null, stripsArray: false } },
    (record) => `${record}\n`,
  ],
  ['beside a row that does not fit', { mostFiltered: 1 }, (record) => `${record}\n{"d": "x"}\n`],
])('numbers of JSON keep all of their digits: %s [REAL-02]', async (_, options, body) => {
  await table('d DECIMAL(20,4), dd DECIMAL(38,10), s VARCHAR, t DECIMAL(10,2), h HUGEINT, j JSON')
  const record = `{"d": ${DIGITS}, "dd": ${LONG_DIGITS}, "s": 12345678901234567890.10, "t": 1.005, "h": 12345678901234567890123, "j": {"a": 1.5, "b": "1, 2.5,\\" 3"}}`
  const reading = JSON_TEXT
  expect(countsOf(await load(body(record), { isStrict: true, reading, ...options }))).toMatchObject({
    loaded: body(record).split('"dd"').length - 1,
  })
  const [found] = await rows('SELECT d, dd, s, t, h, j::VARCHAR FROM t')
  expect(found).toEqual([
    DIGITS,
    LONG_DIGITS,
    '12345678901234567890.10',
    '1.01',
    '12345678901234567890123',
    '{"a":1.5,"b":"1, 2.5,\\" 3"}',
  ])
})

test('texts that look like numbers stay as they are, and numbers become the text that was written', async () => {
  await table('s VARCHAR')
  const written = ['"12.50"', '1.10', '1e2', '100.0', '7', '"1e2"', '-0.50', 'true', '"a 1.50, \\"2.5\\""']
  await load(written.map((one) => `{"s": ${one}}`).join('\n'), { reading: JSON_TEXT })
  expect((await rows('SELECT s FROM t')).flat()).toEqual([
    '12.50',
    '1.10',
    '1e2',
    '100.0',
    '7',
    '1e2',
    '-0.50',
    'true',
    'a 1.50, "2.5"',
  ])
})

test.each(['null\n', '[null, {"id": 1}]', '{"ID": 5}\n', '{}\n'])(
  'a record that is none, or has none of the columns, is no row of NULL: %s',
  async (body) => {
    await table()
    const counts = countsOf(await load(body, { reading: JSON_TEXT, mostFiltered: 1 }))
    expect(counts.filtered).toBe(1)
    expect(counts.rejected[0]?.reason).toMatch(
      /^(This is not a JSON object|The record has none of the columns id, name)\./,
    )
    expect(await rows('SELECT count(*) FROM t WHERE id IS NULL')).toEqual([['0']])
    expect(countsOf(await load('{"id": null, "name": null}\n', { reading: JSON_TEXT })).loaded).toBe(1)
  },
)

test.each([
  { escape: '\\', quote: '"' },
  { escape: 'N', quote: '"' },
  { delimiter: 'N' },
  { delimiter: '\u0001', escape: '\\', quote: '"' },
])('any character may escape or part values, and \\N is still NULL: %j', async (written) => {
  await table()
  const reading = { ...CSV, ...written }
  const mark = reading.delimiter
  const rest = mark === 'N' ? '' : `2${mark}\\N\n\\N${mark}b\n`
  const quoted = reading.quote === '' ? 'a' : `"a ${reading.escape}" b"`
  expect(saidBy(await load(`1${mark}${quoted}\n${rest}`, { reading, isStrict: true }))).toBe('finished')
  expect(await rows('SELECT id, name FROM t')).toEqual([
    ['1', reading.quote === '' ? 'a' : 'a " b'],
    ...(mark === 'N'
      ? []
      : [
          ['2', null],
          [null, 'b'],
        ]),
  ])
})

test('columns that are all computed are refused in words, and loaded beside a value that is left out', async () => {
  await table()
  const sent = (names: string) =>
    load('{"a": 1}\n{"a": 2}\n', { reading: JSON_TEXT, columns: columns(names) })
  expect(saidBy(await sent("id = 7; name = 'x'"))).toBe(
    'columns: All of them are computed. Name a value of the data too, such as _first.',
  )
  expect(saidBy(await sent("_a; id = 7; name = 'x'"))).toContain('none of the columns _a')
  expect(
    countsOf(
      await load('{"_a": 1}\n{"_a": 2}\n', {
        reading: JSON_TEXT,
        columns: columns("_a; id = 7; name = 'x'"),
      }),
    ),
  ).toMatchObject({ loaded: 2, filtered: 0 })
  expect(await rows('SELECT * FROM t')).toEqual([
    ['7', 'x'],
    ['7', 'x'],
  ])
})
