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
  expect(await said('PK\u0003\u0004abc', {})).toContain('ZIP archive or a spreadsheet')
  expect(await said(Buffer.from([0x1f, 0x8b, 8, 0]), {})).toContain('compressed with gzip')
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
