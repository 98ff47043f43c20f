import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { asFound, inspect, load, READING, upload } from '../../conformance/files.ts'
import { cells, openSession, ownEngine, rowsOf, rowsUpTo, testSpace } from '../../conformance/fixture.ts'
import type { FileReading } from '../../engine/files.ts'
import { createInProcessDuckdb } from '../in-process.ts'

const provider = createInProcessDuckdb()
afterAll(() => provider.close())

async function opened() {
  const space = await testSpace()
  const engine = await ownEngine({ provider, kill: () => undefined }, space)
  const session = await openSession(engine)
  const look = async (content: string | Buffer, reading: Partial<FileReading> = {}) =>
    inspect(session, await upload(space.directory, content), reading)
  return { space, session, look }
}

const columnsIn = (outcome: unknown) =>
  (outcome as { result: { columns: { name: string; type: string }[] } }).result.columns.map(
    ({ name, type }) => `${name} ${type}`,
  )

test('types fit every value of the file, not the first ones alone', async () => {
  const { look } = await opened()
  const numbers = Array.from({ length: 60_000 }, (_, i) => `${i},2024-01-05`).join('\n')
  const found = await look(`n,day\n${numbers}\n1.5,soon\n`)
  expect(columnsIn(found)).toEqual(['n DOUBLE', 'day VARCHAR'])
})

test('a mark at the beginning of UTF-8 is not a part of the first name, and UTF-16 and Latin-1 are read when chosen', async () => {
  const { look } = await opened()
  expect(columnsIn(await look('\ufeffid;größe\n1;ä\n'))).toEqual(['id BIGINT', 'größe VARCHAR'])
  const utf16 = Buffer.from('\ufeffid,name\n1,ä\n', 'utf16le')
  expect(await look(utf16)).toMatchObject({
    state: 'failed',
    error: { message: expect.stringContaining('Choose the encoding UTF-16') },
  })
  const latin1 = Buffer.from('id,name\n1,\u00e4\u00f6\n', 'latin1')
  expect(await look(latin1)).toMatchObject({
    state: 'failed',
    error: { message: expect.stringContaining('The file is not in UTF-8') },
  })
  expect(await look(latin1, { encoding: 'latin-1' })).toMatchObject({ result: { rows: [['1', 'äö']] } })
  expect(columnsIn(await look(utf16, { encoding: 'utf-16' }))).toEqual(['id BIGINT', 'name VARCHAR'])
})

test('a file that is not what it is said to be is refused in words', async () => {
  const { look } = await opened()
  const said = async (content: string | Buffer, reading: Partial<FileReading> = {}) => {
    const outcome = await look(content, reading)
    return outcome.state === 'failed' ? outcome.error.message : outcome.state
  }
  expect(await said('', {})).toBe('The file is empty. There is nothing to load.')
  expect(await said('a,b\n1,2\n', { format: 'parquet' })).toContain('does not begin with PAR1')
  expect(await said('PAR1abc', {})).toContain('the file is a Parquet file. Load it as Parquet.')
  expect(await said('PAR1 broken', { format: 'parquet' })).not.toContain('<account>')
  expect(await said('PK\u0003\u0004abc', {})).toContain('This ZIP archive is damaged')
  expect(await said(Buffer.from([0x1f, 0x8b, 8, 0]), {})).toContain('it is not gzip')
  expect(await said(Buffer.from([1, 0, 2, 0, 3]), {})).toContain('bytes that no text has')
  expect(await said('{"a": 1}\n{"a": ', { format: 'json' })).toMatch(/JSON/i)
  expect(await said('[1, 2', { format: 'json' })).toMatch(/JSON/i)
})

test('a line of a megabyte, thousands of columns and a quote that is never closed end with a sentence', async () => {
  const { look } = await opened()
  const many = Array.from({ length: 10_000 }, (_, i) => `c${i}`).join(',')
  expect(await look(`${many}\n${many}\n`)).toMatchObject({
    state: 'failed',
    error: {
      message: expect.stringContaining(
        'The file has 10000 columns; a table that is loaded has at most 4096.',
      ),
    },
  })
  const long = await look(`${'x'.repeat(1_000_000)}\n1\n`)
  expect(long.state === 'finished' || long.state === 'failed').toBe(true)
  expect(await look(`${'x'.repeat(3_000_000)}\n1\n`)).toMatchObject({
    state: 'failed',
    error: { message: expect.stringMatching(/longer than 2 MB|cannot be detected/) },
  })
})

test('broken rows are left out with their lines and reasons, whatever is wrong with them', async () => {
  const { space, session } = await opened()
  const file = await upload(space.directory, 'a,b\n1,one\n2,two,too many\nx,three\n4\n5,five\n')
  const reading = { ...READING, delimiter: ',', quote: '"', escape: '"', header: true, skip: 0 }
  const columns = [
    { name: 'a', type: 'BIGINT', into: 'number' },
    { name: 'b', type: 'VARCHAR', into: 'word' },
  ]
  const loaded = await load(session, { file, columns, reading, table: 'broken', mostRejected: 10 })
  expect(loaded).toMatchObject({
    state: 'finished',
    result: { rowsChanged: 2 },
    file: {
      rejected: [
        { line: 3, reason: 'Values in the row: 3. Columns: 2.' },
        { line: 4, column: 'a', reason: 'x is not of the type BIGINT.', text: 'x,three' },
        { line: 5, reason: 'Values in the row: 1. Columns: 2.' },
      ],
    },
  })
  expect(await cells(session, 'SELECT number, word FROM broken')).toEqual([
    ['1', 'one'],
    ['5', 'five'],
  ])
})

test('records of JSON that do not fit are left out, nested ones are kept', async () => {
  const { space, session } = await opened()
  const lines = [
    '{"id": 1, "tags": ["a", "b"], "of": {"x": 1}}',
    'not json',
    '{"id": "two", "tags": []}',
    '{"id": 4, "odd/key": "~", "of": null}',
    '[5]',
  ]
  const file = await upload(space.directory, `${lines.join('\n')}\n`)
  const columns = [
    { name: 'id', type: 'BIGINT', into: 'id' },
    { name: 'tags', type: 'VARCHAR[]', into: 'tags' },
    { name: 'of', type: 'STRUCT(x BIGINT)', into: 'of' },
    { name: 'odd/key', type: 'VARCHAR', into: 'odd' },
  ]
  const reading = { ...READING, format: 'ndjson' as const }
  expect(await load(session, { file, columns, reading, table: 'records', mostRejected: 10 })).toMatchObject({
    state: 'finished',
    result: { rowsChanged: 2 },
    file: {
      rejected: [
        { line: 2, column: null, reason: 'This is not a JSON object.' },
        { line: 3, column: 'id', reason: 'The value of id is not of the type BIGINT.', text: 'two' },
        { line: 5, column: null },
      ],
    },
  })
  expect(await cells(session, 'SELECT * FROM records')).toEqual([
    ['1', '[a, b]', `{'x': 1}`, null],
    ['4', null, null, '~'],
  ])
})

test('numbers of JSON files keep all of their digits in decimals and texts', async () => {
  const { space, session } = await opened()
  const file = await upload(
    space.directory,
    '{"d": 1234567890123456.7891, "s": 1.10}\n{"d": 1.005, "s": "1.10"}\n',
  )
  const columns = [
    { name: 'd', type: 'DECIMAL(20,4)', into: 'd' },
    { name: 's', type: 'VARCHAR', into: 's' },
  ]
  const reading = { ...READING, format: 'ndjson' as const }
  await load(session, { file, columns, reading, table: 'exact', mostRejected: 0 })
  expect(await cells(session, 'SELECT * FROM exact')).toEqual([
    ['1234567890123456.7891', '1.10'],
    ['1.0050', '1.10'],
  ])
})

test('a table that is there decides on the types, and a constraint of it on all rows at once', async () => {
  const { space, session } = await opened()
  await rowsOf(session, 'CREATE TABLE kept (id INTEGER PRIMARY KEY, price DECIMAL(6,2), note VARCHAR)')
  const file = await upload(space.directory, 'ID,Price,more\n1,1.239,x\n2,7,y\n')
  const found = asFound(await inspect(session, file))
  const into = [
    { ...found.columns[0], into: 'id' },
    { ...found.columns[1], into: 'price' },
    { ...found.columns[2], into: null },
  ]
  const loading = { ...found, file, columns: into as typeof found.columns, table: 'kept', makesTable: false }
  expect(await load(session, loading)).toMatchObject({ state: 'finished', result: { rowsChanged: 2 } })
  expect(await cells(session, 'SELECT * FROM kept ORDER BY id')).toEqual([
    ['1', '1.24', null],
    ['2', '7.00', null],
  ])
  expect(await load(session, loading)).toMatchObject({
    state: 'failed',
    error: { kind: 'data', message: expect.stringContaining('id') },
  })
  expect(await cells(session, 'SELECT count(*) FROM kept')).toEqual([['2']])
  const other = { ...loading, table: 'nowhere' }
  expect(await load(session, other)).toMatchObject({ state: 'failed', error: { kind: 'missing' } })
  const ours = { ...loading, table: 'boathouse_internal.effects', makesTable: true }
  expect(await load(session, ours)).toMatchObject({ state: 'failed', error: { kind: 'permission' } })
})

test('no statement reaches the uploads, before, while and after one is loaded', async () => {
  const { space, session } = await opened()
  const file = await upload(space.directory, 'secret\n1\n')
  const path = join(space.directory, 'uploads', file)
  const tries = [
    `SELECT * FROM read_csv('${path}')`,
    `SELECT * FROM '${path}'`,
    `FROM read_text('${path}')`,
    `SELECT * FROM glob('${space.directory}/*/*')`,
    `COPY (SELECT 1) TO '${path}'`,
    `SELECT * FROM system.main.read_csv('${path}')`,
  ]
  for (const sql of tries)
    expect([sql, (await session.execute(sql, rowsUpTo(1)).outcome).state]).toEqual([sql, 'failed'])
  await inspect(session, file)
  const [temporary = ''] = await readdir(join(space.directory, 'tmp'))
  expect(await readdir(join(space.directory, 'tmp', temporary))).toEqual([])
})

test('days and numbers are read as somebody says that they are written, and a year, month, day beside them', async () => {
  const { space, session } = await opened()
  const content = [
    'when;until;price;count;seen;code',
    '31/12/2024;2025-01-02;1.234,50;12.000;01/02/2024 10:30;007',
    '1/2/2024;2025-01-03;-0,5;7;02/02/2024;008',
  ]
  const file = await upload(space.directory, `${content.join('\n')}\n`)
  const written = { date: '%d/%m/%Y', timestamp: null, decimal: ',', thousands: '.' } as const
  const outcome = await inspect(session, file, { written })
  expect(columnsIn(outcome)).toEqual([
    'when DATE',
    'until DATE',
    'price DOUBLE',
    'count BIGINT',
    'seen TIMESTAMP',
    'code VARCHAR',
  ])
  const rows = [
    ['2024-12-31', '2025-01-02', '1234.5', '12000', '2024-02-01 10:30:00', '007'],
    ['2024-02-01', '2025-01-03', '-0.5', '7', '2024-02-02 00:00:00', '008'],
  ]
  expect(outcome).toMatchObject({ result: { rows }, file: { values: [2, 2, 2, 2, 2, 2] } })
  expect(await load(session, { ...asFound(outcome), file, table: 'written' })).toMatchObject({
    state: 'finished',
    result: { rowsChanged: 2 },
  })
  expect(await cells(session, 'SELECT * FROM written ORDER BY "when" DESC')).toEqual(rows)
  await rowsOf(session, 'CREATE TABLE exact ("when" DATE, price DECIMAL(8,2), count INTEGER)')
  const columns = asFound(outcome).columns.map((column) => ({
    ...column,
    into: ['when', 'price', 'count'].includes(column.name) ? column.name : null,
  }))
  const exact = { ...asFound(outcome), columns, file, table: 'exact', makesTable: false }
  expect(await load(session, exact)).toMatchObject({ state: 'finished' })
  expect(await cells(session, 'SELECT * FROM exact ORDER BY count')).toEqual([
    ['2024-02-01', '-0.50', '7'],
    ['2024-12-31', '1234.50', '12000'],
  ])
})

test('values that do not fit are loaded as NULL and counted, or their rows are left out', async () => {
  const { space, session } = await opened()
  const lines = Array.from({ length: 100 }, (_, at) => `${at},${at}.5`)
  lines[6] = 'n/a,?'
  lines[40] = '40,?'
  const file = await upload(space.directory, `id,price\n${lines.join('\n')}\n`)
  const outcome = await inspect(session, file)
  expect(outcome).toMatchObject({
    file: {
      values: [100, 100],
      spoiled: [
        { column: 'id', type: 'BIGINT', misfits: 1, values: 100, rows: [{ line: 8, text: 'n/a' }] },
        { column: 'price', type: 'DOUBLE', misfits: 2, rows: [{ line: 8 }, { line: 42 }] },
      ],
    },
  })
  const { reading } = asFound(outcome)
  const column = (name: string, type: string, misfits: 'null' | 'reject') => ({
    name,
    type,
    into: name,
    misfits,
  })
  const nulled = [column('id', 'BIGINT', 'reject'), column('price', 'DOUBLE', 'null')]
  const loading = { file, columns: nulled, table: 'nulled', ...(reading && { reading }) }
  expect(await load(session, loading)).toMatchObject({
    state: 'failed',
    error: { message: expect.stringContaining('The first is line 8: n/a is not of the type BIGINT.') },
  })
  expect(await load(session, { ...loading, mostRejected: 1 })).toMatchObject({
    state: 'finished',
    result: { rowsChanged: 99 },
    file: {
      rejected: [{ line: 8, column: 'id' }],
      nulled: [{ column: 'price', values: 2, line: 8, reason: '? is not of the type DOUBLE.' }],
    },
  })
  expect(await cells(session, 'SELECT count(*), count(price) FROM nulled')).toEqual([['99', '98']])
})

test('a mistake among days of another order is named with the order that all others have', async () => {
  const { look } = await opened()
  const lines = Array.from({ length: 50 }, (_, at) => `${(at % 28) + 1}/12/2024`)
  lines[20] = 'soon'
  expect(await look(`paid\n${lines.join('\n')}\n`)).toMatchObject({
    file: {
      spoiled: [{ column: 'paid', type: 'DATE', format: '%d/%m/%Y', misfits: 1, rows: [{ line: 22 }] }],
    },
  })
})

test('rows of another number of values are named in the preview', async () => {
  const { look } = await opened()
  const lines = Array.from({ length: 50 }, (_, at) => `${at},one`)
  lines[30] = '30,one,more'
  expect(await look(`id,word\n${lines.join('\n')}\n`)).toMatchObject({
    result: { columns: [{ type: 'BIGINT' }, { type: 'VARCHAR' }] },
    file: { broken: { count: 1, rows: [{ line: 32, reason: 'Values in the row: 3. Columns: 2.' }] } },
  })
})

test('a line of JSON that is broken does not keep the others from being read, whatever the file is called', async () => {
  const { space, session } = await opened()
  const lines = [
    '{"id": 1, "of": "a"}',
    '',
    '{"id": 2,',
    '[7]',
    ...Array.from({ length: 20 }, () => '{"id": 3}'),
  ]
  lines.push('{"id": "x"}')
  const file = await upload(space.directory, `${lines.join('\n')}\n`)
  for (const format of ['ndjson', 'json'] as const) {
    const outcome = await inspect(session, file, { format })
    expect(outcome).toMatchObject({
      state: 'finished',
      file: {
        reading: { format: 'ndjson' },
        broken: {
          count: 2,
          rows: [
            { line: 3, text: '{"id": 2,' },
            { line: 4, text: '[7]' },
          ],
        },
        spoiled: [{ column: 'id', type: 'BIGINT', misfits: 1, rows: [{ text: 'x' }] }],
      },
    })
    const { reading, columns } = asFound(outcome)
    expect(columns.map(({ name }) => name)).toEqual(['id', 'of'])
    const chosen = [
      { name: 'id', type: 'BIGINT', into: 'id', misfits: 'null' as const },
      { name: 'of', type: 'VARCHAR', into: 'of' },
    ]
    const loading = {
      file,
      columns: chosen,
      table: `of_${format}`,
      mostRejected: 2,
      ...(reading && { reading }),
    }
    expect(await load(session, loading)).toMatchObject({
      state: 'finished',
      result: { rowsChanged: 22 },
      file: { nulled: [{ column: 'id', values: 1 }], rejected: [{}, {}] },
    })
  }
  expect(await cells(session, 'SELECT count(*), count(id) FROM of_json')).toEqual([['22', '21']])
})
