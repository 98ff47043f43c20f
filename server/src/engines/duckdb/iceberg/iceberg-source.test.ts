import { Readable } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { IcebergField, IcebergTable } from '../../../kernel/iceberg.ts'
import { type Outside, OutsideRefused, tableInKey } from '../../../kernel/outside.ts'
import type { BrokenTable } from '../folders/layout.ts'
import { openLoopback } from '../outside/loopback.ts'
import { avroBytes, avroFile, avroLong } from './avro-for-tests.ts'
import { icebergSource } from './iceberg-source.ts'

const record = (name: string, fields: Readonly<Record<string, unknown>>) => ({
  type: 'record',
  name,
  fields: Object.entries(fields).map(([field, type]) => ({ name: field, type })),
})

const LIST = record('manifest_file', {
  manifest_path: 'string',
  manifest_length: 'long',
  partition_spec_id: 'int',
})
const COUNTS = { type: 'array', items: record('count', { key: 'int', value: 'long' }) }
const MANIFEST = record('manifest_entry', {
  status: 'int',
  data_file: record('r2', {
    file_path: 'string',
    file_format: 'string',
    file_size_in_bytes: 'long',
    value_counts: COUNTS,
  }),
})

const entry = (path: string): Buffer =>
  Buffer.concat([
    avroLong(1),
    avroBytes(`s3://bucket/${path}`),
    avroBytes('PARQUET'),
    avroLong(9),
    ...[1, 1, 5, 0].map(avroLong),
  ])

interface Made {
  /** Of its snapshot, and so of its files. */
  readonly version?: number
  readonly files?: number
  readonly columns?: readonly IcebergField[]
  readonly specId?: number
  /** Of the bytes of its manifest. */
  readonly given?: (manifest: Buffer) => { body: Buffer | Error; length: number }
}

const COLUMN: IcebergField = { id: 1, name: 'n', type: 'long' }

/** What the service would tell of such tables and give of their files. */
function outsideOf(made: Readonly<Record<string, Made>>) {
  const read: string[] = []
  const content = (name: string): IcebergTable => ({
    bucket: 'bucket',
    roots: [name],
    columns: made[name]?.columns ?? [COLUMN],
    identities: { 0: [] },
    hasNameMapping: false,
    manifestList: `${name}/${made[name]?.version ?? 0}/list`,
  })
  const outside: Outside = {
    list: () => Promise.reject(new OutsideRefused('missing', 'it has no objects')),
    files: () => Promise.reject(new OutsideRefused('missing', 'it has no such files')),
    tables: () =>
      Promise.resolve({
        databases: ['sales'],
        tables: Object.keys(made).map((name) => ({ database: 'sales', name, content: content(name) })),
        ignored: [],
        next: null,
      }),
    async read(_, { key }) {
      const { name = '', path = '' } = tableInKey(key) ?? {}
      read.push(path)
      const { files = 1, version = 0, specId = 0, given } = made[name] ?? {}
      const entries = Array.from({ length: files }, (__, at) => entry(`${name}/${version}-${at}.parquet`))
      const manifest = avroFile(MANIFEST, { count: files, block: Buffer.concat(entries) })
      if (path.endsWith('/list')) {
        const block = [avroBytes(`s3://bucket/${name}/manifest`), avroLong(manifest.length), avroLong(specId)]
        const list = avroFile(LIST, { count: 1, block: Buffer.concat(block) })
        return { length: list.length, body: Readable.from([list]) }
      }
      const { body, length } = given?.(manifest) ?? { body: manifest, length: manifest.length }
      const parts = async function* () {
        await Promise.resolve()
        if (body instanceof Error) throw body
        yield body
      }
      return { length, body: Readable.from(parts()) }
    },
  }
  return { outside, read }
}

async function setUp(made: Readonly<Record<string, Made>>, mostFiles?: number) {
  const { outside, read } = outsideOf(made)
  const loopback = await openLoopback(outside)
  onTestFinished(() => loopback.close())
  const connect = () => Promise.reject(new Error('no file has to be looked into'))
  const parts = { outside, loopback, connect, ...(mostFiles !== undefined && { mostFiles }) }
  const source = icebergSource({ kind: 'iceberg', id: 'id', name: 'lake' }, parts)
  onTestFinished(() => source.close())
  const problems = async () => {
    const { tables } = await source.look(new AbortController().signal, () => true)
    return Object.fromEntries(
      tables.map((table) => [table.table, (table as Partial<BrokenTable>).problem ?? null]),
    )
  }
  return { source, problems, read }
}

test('one table whose manifests cannot be read, or not to their end, is refused, and the others are read', async () => {
  const { problems } = await setUp({
    good: {},
    cut: { given: ({ length }) => ({ body: new Error('socket 10.0.0.7 hang up'), length }) },
    short: { given: (manifest) => ({ body: manifest.subarray(0, -50), length: manifest.length }) },
    other: { given: (manifest) => ({ body: manifest.subarray(0, -50), length: manifest.length - 50 }) },
    spec: { specId: 7 },
  })
  const stopped = 'what its files are cannot be read: it has stopped in the middle'
  expect(await problems()).toEqual({
    good: null,
    cut: stopped,
    short: stopped,
    other: 'a manifest of it is not as long as the list of them says',
    spec: 'its manifests name a partition spec that its metadata does not have',
  })
})

test('what nobody has thought of in one table does not take the others away', async () => {
  const { problems } = await setUp({ good: {}, odd: { columns: [{ ...COLUMN, type: null as never }] } })
  expect(await problems()).toEqual({
    good: null,
    odd: 'what its files are cannot be read: their metadata is invalid',
  })
})

test('columns whose names no statement could write or tell apart are refused', async () => {
  const named = (...names: string[]) => names.map((name, at) => ({ ...COLUMN, id: at + 1, name }))
  const { problems } = await setUp({
    control: { columns: named('a\nb') },
    same: { columns: named('Town', 'n', 'town') },
    inside: { columns: [{ ...COLUMN, type: { type: 'struct', fields: named('x', 'X') } }] },
    fine: { columns: named('É', 'é') },
  })
  expect(await problems()).toEqual({
    control: 'its column "a\\nb" has a character that is not allowed in names',
    same: 'its columns Town and town differ in letter case alone, and are one to this engine',
    inside: 'its columns x and X differ in letter case alone, and are one to this engine',
    fine: null,
  })
})

test('tables are read until they have too many files together, and no further', async () => {
  const made = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`t${at}`, { files: 10 }]))
  const { problems, read } = await setUp(made, 50)
  await expect(problems()).rejects.toThrow('its tables have more than 50 files')
  // Two for each of the first eight.
  expect(read).toHaveLength(16)
})

test('files that a table no longer has are read for some minutes more, whatever else is changed meanwhile', async () => {
  const made: Record<string, Made> = { t: {} }
  const { source } = await setUp(made)
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => clock.mockRestore())
  const fileAt = async (version: number): Promise<string> => {
    made['t'] = { version }
    const { tables } = await source.look(new AbortController().signal, () => true)
    return /http:[^']+\.parquet/.exec(JSON.stringify(tables))?.[0] ?? ''
  }
  const table = { schema: 'sales', name: 't' }
  const first = await fileAt(1)
  for (const version of [2, 3, 4]) {
    now += 60_000
    await fileAt(version)
    expect(source.tableOf(first)).toEqual(table)
  }
  now += 16 * 60_000
  const last = await fileAt(5)
  expect([source.tableOf(first), source.tableOf(last)]).toEqual([null, table])
})
