import { randomUUID } from 'node:crypto'
import { chown, mkdir, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { EngineSession } from '../engine/session.ts'
import type { FinishedOutcome, Outcome } from '../engine/outcome.ts'
import { type FileFormat, type FileReading, type LoadOrder, uploadFile, uploadsIn } from '../engine/files.ts'
import { spreadsheet } from '../../testing/spreadsheet.ts'
import type { ObjectUse } from '../engine/objects.ts'
import {
  cells,
  must,
  openSession,
  ownEngine,
  rowsOf,
  rowsUpTo,
  type SharedEngine,
  sharedEngine,
  testSpace,
} from './fixture.ts'
import type { Suite } from './suite.ts'

export const READING: FileReading = {
  format: 'csv',
  encoding: 'utf-8',
  delimiter: null,
  quote: null,
  escape: null,
  header: null,
  skip: null,
  newLine: null,
  dateFormat: null,
  timestampFormat: null,
  sheet: null,
}

const OS_USER = 61_184

/** A file among the uploads of the account, as the service puts it there. */
export async function upload(directory: string, content: string | Buffer): Promise<string> {
  const name = randomUUID()
  const path = uploadFile(directory, name)
  await mkdir(uploadsIn(directory), { recursive: true })
  await writeFile(path, content, { mode: 0o600 })
  if (process.getuid?.() === 0)
    for (const one of [uploadsIn(directory), path]) await chown(one, OS_USER, OS_USER)
  return name
}

export const inspect = (
  session: EngineSession,
  file: string,
  { sampleBytes = null, ...reading }: Partial<FileReading> & { readonly sampleBytes?: number | null } = {},
): Promise<Outcome> =>
  session.execute(`INSPECT FILE 'f'`, {
    ...rowsUpTo(10),
    file: { does: 'inspect', file, reading: { ...READING, ...reading }, rows: 10, sampleBytes },
  }).outcome

type Loading = Pick<LoadOrder, 'file' | 'columns'> & {
  readonly table: string
  readonly reading?: FileReading
  readonly makesTable?: boolean
  readonly mostRejected?: number
  readonly widens?: boolean
  readonly writes?: LoadOrder['writes']
  readonly queryId?: string
  readonly authorize?: (uses: readonly ObjectUse[]) => Promise<{ message: string } | null>
}

export function load(session: EngineSession, loading: Loading): Promise<Outcome> {
  const { table, queryId, authorize, reading = READING, makesTable = true, mostRejected = 0 } = loading
  const { file, columns, writes, widens = true } = loading
  const place = { catalog: 'default_catalog', database: 'main', name: table }
  return session.execute(`LOAD FILE 'f' INTO ${table}`, {
    ...rowsUpTo(1),
    takenFor: 'writes',
    ...(queryId && { queryId }),
    ...(authorize && { authorize }),
    file: {
      does: 'load',
      file,
      columns,
      reading,
      table: place,
      makesTable,
      mostRejected,
      widens,
      ...(writes && { writes }),
    },
  }).outcome
}

/** All columns under their own names, with the types that were found. */
export function asFound(outcome: Outcome): Pick<Loading, 'columns' | 'reading'> {
  const { result, file } = outcome as FinishedOutcome
  const columns = result.columns.map(({ name, type }) => ({ name, type, into: name }))
  return { columns, ...(file && { reading: file.reading }) }
}

const SHEET = `<row><c t="inlineStr"><is><t>i</t></is></c><c t="inlineStr"><is><t>word</t></is></c></row>
  <row><c><v>1</v></c><c t="inlineStr"><is><t>one</t></is></c></row>
  <row><c><v>2</v></c><c t="inlineStr"><is><t>two, too</t></is></c></row>`

const CONTENT: Readonly<Record<FileFormat, string | (() => Promise<Buffer>) | null>> = {
  csv: 'i,word\n1,one\n2,"two, too"\n',
  tsv: 'i\tword\n1\tone\n2\ttwo, too\n',
  json: '[{"i": 1, "word": "one"}, {"i": 2, "word": "two, too"}]',
  ndjson: '{"i": 1, "word": "one"}\n{"i": 2, "word": "two, too"}\n',
  // Not a text: engines that can write Parquet have a test of their own.
  parquet: null,
  xlsx: () => spreadsheet({ sheets: { s: SHEET } }),
}

/** What is found in a file, and loaded from it. */
function readingTests(shared: SharedEngine, { words }: Suite): void {
  const given = (content: string | Buffer) => upload(shared.directory(), content)

  test('reports the columns, their types and the first rows of a file, and loads it into a new table', async () => {
    const session = await openSession(shared.engine())
    for (const format of must(shared.engine().files).formats) {
      const content = CONTENT[format]
      if (content === null) continue
      const file = await given(typeof content === 'string' ? content : await content())
      const found = await inspect(session, file, { format })
      expect(found).toMatchObject({
        state: 'finished',
        result: {
          columns: [{ name: 'i' }, { name: 'word' }],
          rows: [
            ['1', 'one'],
            ['2', 'two, too'],
          ],
        },
      })
      const table = `from_${format}`
      expect(await load(session, { file, table, ...asFound(found) })).toMatchObject({
        state: 'finished',
        result: { rowsChanged: 2 },
        file: { rejected: [] },
        changed: [{ change: 'created', object: { type: 'table', name: table } }],
      })
      expect(await cells(session, words.select(table))).toEqual([
        ['1', 'one'],
        ['2', 'two, too'],
      ])
    }
  })

  test('loads nothing when one row too many is unreadable, and reports these rows with their lines', async () => {
    const session = await openSession(shared.engine())
    const file = await given('i\n1\nx\n3\ny\n')
    const found = asFound(await inspect(session, file, { header: true }))
    const columns = [{ name: 'i', type: 'BIGINT', into: 'i' }]
    await rowsOf(session, words.createTable('numbers'))
    const into = { ...found, file, columns, table: 'numbers', makesTable: false }
    const rejected = [
      { line: 3, column: 'i', reason: expect.stringContaining('x') },
      { line: 5, column: 'i', reason: expect.stringContaining('y') },
    ]
    expect(await load(session, { ...into, mostRejected: 1 })).toMatchObject({
      state: 'failed',
      error: { kind: 'data', message: expect.stringContaining('nothing was loaded') },
      file: { rejected },
    })
    expect(await cells(session, words.count('numbers'))).toEqual([['0']])
    expect(await load(session, { ...into, mostRejected: 2 })).toMatchObject({
      state: 'finished',
      result: { rowsChanged: 2 },
      file: { rejected },
    })
    expect(await cells(session, words.select('numbers'))).toEqual([['1'], ['3']])
  })
}

/** What is not loaded, and why. */
function refusalTests(shared: SharedEngine, { words }: Suite): void {
  const given = (content: string | Buffer) => upload(shared.directory(), content)

  test('loads nothing without the privilege to write to the table, and asks for exactly that one', async () => {
    const session = await openSession(shared.engine())
    const file = await given('i\n1\n')
    const columns = [{ name: 'i', type: 'BIGINT', into: 'i' }]
    const asked: ObjectUse[] = []
    const authorize = async (uses: readonly ObjectUse[]) => {
      asked.push(...uses)
      return { message: 'No.' }
    }
    const reading = { ...READING, header: true, delimiter: ',' }
    const refused = { state: 'failed', error: { kind: 'permission', message: 'No.' } }
    for (const makesTable of [true, false])
      expect(
        await load(session, { file, columns, reading, table: 'nobodys', makesTable, authorize }),
      ).toMatchObject(refused)
    const object = { type: 'table', catalog: 'default_catalog', database: 'main', name: 'nobodys' }
    expect(asked).toEqual([
      { action: 'create', object, through: null },
      { action: 'insert', object, through: null },
    ])
    expect(await session.execute(words.select('nobodys'), rowsUpTo(1)).outcome).toMatchObject({
      state: 'failed',
      error: { kind: 'missing' },
    })
  })
}

function cutOffTests(shared: SharedEngine, { open, words }: Suite): void {
  test('a load is remembered with its rows, and one that is cut off has done nothing', async () => {
    const fixture = await open()
    const space = await testSpace()
    const engine = await ownEngine(fixture, space)
    const session = await openSession(engine)
    const file = await upload(space.directory, `i\n${'7\n'.repeat(400_000)}`)
    const columns = [{ name: 'i', type: 'BIGINT', into: 'i' }]
    const reading = { ...READING, header: true, delimiter: ',' }
    await rowsOf(session, words.createTable('kept'))
    const loading = { file, columns, reading, table: 'kept', makesTable: false }
    const cut = load(session, { ...loading, queryId: 'cut' })
    fixture.kill(engine)
    expect(await cut).toMatchObject({ state: 'lost' })
    const next = await ownEngine(fixture, space)
    const again = await openSession(next)
    expect(await cells(again, words.count('kept'))).toEqual([['0']])
    expect(await load(again, { ...loading, queryId: 'whole' })).toMatchObject({ state: 'finished' })
    expect(await must(next.effects).tookEffect(['cut', 'whole'])).toEqual(
      new Map([['whole', { rowsChanged: 400_000 }]]),
    )
  })

  test('a file that is gone is said to be', async () => {
    const session = await openSession(shared.engine())
    expect(await inspect(session, randomUUID())).toMatchObject({
      state: 'failed',
      error: { message: 'The uploaded file no longer exists. Upload it again.' },
    })
  })
}

/** What goes with an engine that reads files. */
export function fileTests(suite: Suite): void {
  const shared = sharedEngine(suite.open)
  readingTests(shared, suite)
  refusalTests(shared, suite)
  cutOffTests(shared, suite)
}
