import { afterAll, expect, test } from 'vitest'
import { asFound, inspect, load, upload } from '../../conformance/files.ts'
import { cells, openSession, ownEngine, testSpace } from '../../conformance/fixture.ts'
import type { FinishedOutcome } from '../../engine/outcome.ts'
import { createInProcessDuckdb } from '../in-process.ts'

const provider = createInProcessDuckdb()
afterAll(() => provider.close())

/** A file of which the beginning alone is looked at. */
async function sampled(content: string, sampleBytes: number) {
  const space = await testSpace()
  const session = await openSession(await ownEngine({ provider, kill: () => undefined }, space))
  const file = await upload(space.directory, content)
  const outcome = await inspect(session, file, { sampleBytes })
  const found = asFound(outcome)
  const all = { ...found, file, columns: found.columns.map((column) => ({ ...column, isGuessed: true })) }
  return { session, file, outcome, all }
}

const linesOf = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => `${line(at)}\n`).join('')

const typesIn = (outcome: unknown) =>
  (outcome as FinishedOutcome).result.columns.map(({ name, type }) => `${name} ${type}`)

test('columns, types and the header are found in the beginning of a file, and the rest is loaded', async () => {
  const content = `id,name,day\n${linesOf(5_000, (at) => `${at},name ${at},2024-01-05`)}`
  const { session, outcome, all } = await sampled(content, 2_000)
  expect(typesIn(outcome)).toEqual(['id BIGINT', 'name VARCHAR', 'day DATE'])
  expect(outcome).toMatchObject({ file: { reading: { header: true, delimiter: ',', quote: '"' } } })
  expect(await load(session, { ...all, table: 'whole' })).toMatchObject({
    state: 'finished',
    result: { rowsChanged: 5_000 },
    file: { rejected: [], widened: [] },
  })
})

test('a value that does not fit later widens its column, and every value is as it was written', async () => {
  const content = `id,amount,day,code\n${linesOf(3_000, (at) => `${at},${at},2024-01-05,1${at}`)}x7,1.5,2024-01-06 10:30:00,007\n`
  const { session, outcome, all } = await sampled(content, 2_000)
  expect(typesIn(outcome)).toEqual(['id BIGINT', 'amount BIGINT', 'day DATE', 'code BIGINT'])
  expect(await load(session, { ...all, table: 'widened' })).toMatchObject({
    state: 'finished',
    result: { rowsChanged: 3_001 },
    file: {
      rejected: [],
      widened: [
        { column: 'id', from: 'BIGINT', to: 'VARCHAR', line: 3_002, reason: 'x7 is not of the type BIGINT.' },
        { column: 'amount', from: 'BIGINT', to: 'DOUBLE', line: 3_002 },
        { column: 'day', from: 'DATE', to: 'TIMESTAMP', line: 3_002 },
        { column: 'code', from: 'BIGINT', to: 'VARCHAR', line: 3_002 },
      ],
    },
  })
  expect(await cells(session, `SELECT * FROM widened WHERE id IN ('7', 'x7') ORDER BY ALL`)).toEqual([
    ['7', '7.0', '2024-01-05 00:00:00', '17'],
    ['x7', '1.5', '2024-01-06 10:30:00', '007'],
  ])
})

test('a value that does not fit later rejects its row where that was chosen, with line and column', async () => {
  const content = `id,name\n${linesOf(3_000, (at) => `${at},n`)}x7,late\n3001,n\n1.5,n,too many\n007,n\n`
  const { session, all } = await sampled(content, 2_000)
  const rejecting = { ...all, widens: false, table: 'rejecting' }
  const rejected = [
    { line: 3_002, column: 'id', reason: 'x7 is not of the type BIGINT.', text: 'x7' },
    { line: 3_004, reason: 'Values in the row: 3. Columns: 2.' },
    { line: 3_005, column: 'id', reason: '007 is not of the type BIGINT.' },
  ]
  expect(await load(session, { ...rejecting, mostRejected: 2 })).toMatchObject({
    state: 'failed',
    error: { message: expect.stringContaining('The first is line 3002: x7 is not of the type BIGINT.') },
    file: { rejected },
  })
  expect(await load(session, { ...rejecting, mostRejected: 3 })).toMatchObject({
    state: 'finished',
    result: { rowsChanged: 3_001 },
    file: { rejected, widened: [] },
  })
})

test('a row with too many values is rejected, and no column is widened because of it', async () => {
  const content = `id,day\n${linesOf(3_000, (at) => `${at},2024-01-05`)}x,y,z\n`
  const { session, all } = await sampled(content, 2_000)
  expect(await load(session, { ...all, table: 'odd_row' })).toMatchObject({
    state: 'failed',
    file: { rejected: [{ line: 3_002 }] },
  })
  expect(await load(session, { ...all, table: 'odd_row', mostRejected: 1 })).toMatchObject({
    state: 'finished',
    result: { rowsChanged: 3_000 },
    file: { rejected: [{ line: 3_002 }], widened: [] },
  })
})

test('whole numbers that a floating point would change are kept as text', async () => {
  const content = `id,n\n${linesOf(3_000, (at) => `${at},900719925474099${at % 10}`)}1,1.5\n`
  const { session, all } = await sampled(content, 2_000)
  await load(session, { ...all, table: 'exact' })
  expect(await cells(session, `SELECT n FROM exact ORDER BY ALL LIMIT 2`)).toEqual([
    ['1.5'],
    ['9007199254740990'],
  ])
})

test('quotes over the border of the sample, and such as come only behind it, are read as quotes', async () => {
  const over = `id,note\n${linesOf(40, (at) => `${at},"line one\nline, two ""${at}"""`)}`
  for (const sampleBytes of [200, 213, 220, 231]) {
    const { session, outcome, all } = await sampled(over, sampleBytes)
    expect([sampleBytes, ...typesIn(outcome)]).toEqual([sampleBytes, 'id BIGINT', 'note VARCHAR'])
    expect(await load(session, { ...all, table: 'quoted' })).toMatchObject({ result: { rowsChanged: 40 } })
    expect(await cells(session, 'SELECT note FROM quoted WHERE id = 39')).toEqual([
      ['line one\nline, two "39"'],
    ])
  }
  const behind = `id,note\n${linesOf(500, (at) => `${at},plain`)}500,"with, comma"\n`
  const { session, all } = await sampled(behind, 500)
  await load(session, { ...all, table: 'late_quotes' })
  expect(await cells(session, 'SELECT note FROM late_quotes WHERE id = 500')).toEqual([['with, comma']])
})

test('columns that are texts because of a few values are named with the type of the others and these rows', async () => {
  const bad = new Map([
    [17, 'n/a,unknown,x'],
    [500, '-,2024-13-01,y'],
    [900, '?,later,z'],
  ])
  const content = `id,day,name\n${linesOf(2_000, (at) => bad.get(at) ?? `${at},2024-01-05,name ${at}`)}`
  const { outcome, session, all } = await sampled(content, 1_000_000)
  expect(typesIn(outcome)).toEqual(['id VARCHAR', 'day VARCHAR', 'name VARCHAR'])
  expect((outcome as FinishedOutcome).file?.spoiled).toMatchObject([
    {
      column: 'id',
      type: 'BIGINT',
      values: 2_000,
      misfits: 3,
      rows: [
        { line: 19, reason: 'n/a is not of the type BIGINT.' },
        { line: 502, reason: '- is not of the type BIGINT.' },
        { line: 902, reason: '? is not of the type BIGINT.' },
      ],
    },
    { column: 'day', type: 'DATE', misfits: 3 },
  ])
  const chosen = [
    { name: 'id', type: 'BIGINT', into: 'id' },
    { name: 'day', type: 'DATE', into: 'day' },
    { name: 'name', type: 'VARCHAR', into: 'name' },
  ]
  expect(await load(session, { ...all, columns: chosen, table: 'chosen', mostRejected: 3 })).toMatchObject({
    state: 'finished',
    result: { rowsChanged: 1_997 },
    file: { rejected: [{ line: 19 }, { line: 502 }, { line: 902 }] },
  })
})
