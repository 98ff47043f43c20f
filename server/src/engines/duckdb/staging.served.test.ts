import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DEFAULT_CATALOG, DEFAULT_DATABASE } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { uploadsOf } from '../../testing/load-kit.ts'
import { sharedApp, type TestApp } from '../../testing/start-app.ts'
import { rowsUpTo } from '../conformance/fixture.ts'
import type { ValueType } from '../engine/columns.ts'
import type { StreamPart } from '../engine/files.ts'
import type { ObjectUse } from '../engine/objects.ts'
import { NotStaged, type Staged, type StagingOrder } from '../engine/staging.ts'
import { createStaging } from './staging.ts'

const started = sharedApp({}, { engine: 'embedded' })

const READING = {
  format: 'csv',
  encoding: 'utf-8',
  delimiter: ',',
  quote: '"',
  escape: '"',
  header: false,
  skip: 0,
  newLine: null,
  dateFormat: null,
  timestampFormat: null,
  sheet: null,
} as const

const PART: StreamPart = {
  file: '',
  reading: READING,
  table: { catalog: 'lake', database: 'main', name: 'boats' },
  columns: null,
  json: { paths: null, root: null, stripsArray: false },
  trims: false,
  where: null,
  mostFiltered: 1,
  isStrict: true,
  timeZone: null,
  reported: 10,
  wholeRows: null,
}

const column = (name: string, type: ValueType, isNullable = true) => ({ name, type, isNullable })
const ID = column('id', { kind: 'integer', bits: 64, isSigned: true }, false)
const NAME = column('name', { kind: 'text', length: null })

async function staged(
  app: TestApp,
  text: string,
  order: Partial<StagingOrder> = {},
  part: Partial<StreamPart> = {},
) {
  const { accountId } = app
  const file = randomUUID()
  await mkdir(uploadsOf(app), { recursive: true })
  await writeFile(join(uploadsOf(app), file), text)
  const home = { catalog: DEFAULT_CATALOG, database: DEFAULT_DATABASE }
  return createStaging(app.compute.useServiceEngine, home).read({
    accountId,
    user: 'admin',
    columns: [ID, NAME],
    options: rowsUpTo(0),
    mostRows: 100,
    stop: new AbortController().signal,
    ...order,
    part: { ...PART, ...part, file },
  })
}

const rowsOf = (found: Staged) => ('rows' in found ? found.rows : found.outcome)

test('rows are read as the table would have them, and those that do not fit are left out and reported', async () => {
  const app = await started()
  const found = await staged(app, '1,Ada\nx,Bob\n,Cid\n9007199254740993,\n')
  expect(found).toMatchObject({
    rows: [
      ['1', 'Ada'],
      ['9007199254740993', ''],
    ],
    isCut: false,
    counts: { total: 4, loaded: 2, filtered: 2, unselected: 0 },
  })
  const few = await staged(app, '1,Ada\nx,Bob\n', {}, { mostFiltered: 0 })
  expect(rowsOf(few)).toMatchObject({
    state: 'failed',
    error: { message: expect.stringContaining('too many filtered rows: 1 of 2') },
  })
  expect(await staged(app, '1,a\n2,b\n3,c\n', { mostRows: 2 })).toMatchObject({ isCut: true })
})

test('every type that a lake has is read, and others are refused by the name of their column', async () => {
  const app = await started()
  const types: Record<string, ValueType> = {
    flag: { kind: 'boolean' },
    price: { kind: 'decimal', precision: 10, scale: 2 },
    ratio: { kind: 'float', bits: 64 },
    day: { kind: 'date' },
    at: { kind: 'time', precision: 6, isZoned: false },
    seen: { kind: 'timestamp', precision: 6, isZoned: false },
    sent: { kind: 'timestamp', precision: 6, isZoned: true },
    bytes: { kind: 'binary' },
    id: { kind: 'uuid' },
  }
  const columns = Object.entries(types).map(([name, type]) => column(name, type))
  const line =
    'true,1.5,2.25,2026-01-02,03:04:05.5,2026-01-02 03:04:05,2026-01-02 03:04:05+02,ab,b3f6b8f2-0000-4000-8000-000000000001\n'
  expect(rowsOf(await staged(app, line, { columns }))).toEqual([
    [
      'true',
      '1.50',
      '2.25',
      '2026-01-02',
      '03:04:05.5',
      '2026-01-02 03:04:05',
      '2026-01-02 01:04:05+00',
      '6162',
      'b3f6b8f2-0000-4000-8000-000000000001',
    ],
  ])
  const list = column('tags', { kind: 'list', element: { kind: 'text', length: null }, length: null })
  await expect(staged(app, '1\n', { columns: [list] })).rejects.toThrow(new NotStaged('tags'))
})

test('what expressions read is decided by the sender’s privileges, and nothing is left', async () => {
  const app = await started()
  const asked: ObjectUse[] = []
  const authorize = async (uses: readonly ObjectUse[]) => {
    asked.push(...uses)
    return { message: 'You may not.' }
  }
  const options = { ...rowsUpTo(0), authorize }
  expect(rowsOf(await staged(app, '1,Ada\n', { options }))).toEqual([['1', 'Ada']])
  expect(asked).toEqual([])
  const admin = await app.admin()
  await (await admin.channel()).run('CREATE TABLE pins AS SELECT 1234 AS pin')
  const computed = [
    { name: 'id', expression: null },
    { name: 'name', expression: '(SELECT max(pin) FROM pins)::VARCHAR' },
  ]
  expect(rowsOf(await staged(app, '1\n', { options }, { columns: computed }))).toMatchObject({
    state: 'failed',
  })
  const tables = (await (await admin.channel()).run('SHOW TABLES')).at(-1)?.result
  expect(tables).toEqual([['pins']])
})

test('JSON is read by the names of the columns, and a stop ends it', async () => {
  const app = await started()
  const json = {
    ...READING,
    format: 'json',
    delimiter: null,
    quote: null,
    escape: null,
    header: null,
  } as const
  const text = '{"name": "Ada", "id": 1}\n{"id": 2}\n'
  expect(rowsOf(await staged(app, text, {}, { reading: json }))).toEqual([
    ['1', 'Ada'],
    ['2', null],
  ])
  const stop = AbortSignal.abort()
  expect(rowsOf(await staged(app, text, { stop }, { reading: json }))).toMatchObject({ state: 'cancelled' })
})
