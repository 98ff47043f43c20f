import { randomUUID } from 'node:crypto'
import { chown, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openResultReader } from '../engines/duckdb/reader/result-reader.ts'
import { batchOf } from '../engines/engine/batches.ts'
import { TEXT, type ValueType, columnOf } from '../engines/engine/columns.ts'
import type { Cell } from '../engines/engine/rows.ts'
import { DiskRoom } from './disk-space.ts'
import { placesIn } from './form.ts'
import { KeptRows } from './keep-rows.ts'

const MIB = 1024 * 1024

const TYPES: Readonly<Record<string, ValueType>> = {
  id: { kind: 'integer', bits: 64, isSigned: true },
  Id: { kind: 'integer', bits: 128, isSigned: false },
  '': TEXT,
  file_row_number: { kind: 'decimal', precision: 18, scale: 2 },
  yes: { kind: 'boolean' },
  part: { kind: 'decimal', precision: 4, scale: 4 },
  at: { kind: 'timestamp', precision: 3, isZoned: true },
  far: { kind: 'float', bits: 64 },
  many: { kind: 'list', element: TEXT, length: null },
}
const COLUMNS = Object.entries(TYPES).map(([name, type]) => columnOf(name, `mine ${type.kind}`, type))

const rowOf = (i: number): Cell[] =>
  i % 7 === 3
    ? COLUMNS.map(() => null)
    : [
        String(i - 5000),
        String(2n ** 127n + BigInt(i)),
        i % 2 === 0 ? `text é🎉 ${i}` : '',
        `${i}.50`,
        i % 2 === 0 ? 'true' : 'false',
        `0.${String(i % 10_000).padStart(4, '0')}`,
        `2024-01-01 00:00:00.000 Europe/Berlin`,
        '1.0E10',
        `[a, b${i}]`,
      ]

async function folder(room = new DiskRoom(tmpdir())) {
  const directory = await mkdtemp(join(tmpdir(), 'boathouse kept-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const { results, exports } = placesIn(directory)
  const reader = await openResultReader({ directory, threads: 1 })
  onTestFinished(() => reader.close())
  const keep = (limits = {}, shownRows = 10) => {
    const queryId = randomUUID()
    const order = { maxRows: 1_000_000, maxBytes: 64 * MIB, ...limits }
    const kept = new KeptRows({ directory: results, room, queryId, keep: order, shownRows, timeZone: 'UTC' })
    kept.begin(COLUMNS)
    return { queryId, kept }
  }
  return { keep, reader, exports, files: () => readdir(results) }
}

const BATCH = 1000

async function fill(kept: KeptRows, count: number): Promise<void> {
  for (let from = 0; from < count; from += BATCH)
    await kept.write(
      batchOf(
        Array.from({ length: Math.min(BATCH, count - from) }, (_, at) => rowOf(from + at)),
        COLUMNS.length,
      ),
    )
}

test.each([0, 1, 100, 50_000])('reads %d rows again as they were', async (count) => {
  const { keep, reader, files } = await folder()
  const { queryId, kept } = keep()
  await fill(kept, count)
  expect(await kept.finish({ hasMore: false })).toEqual({ rows: count, complete: true, bytes: 0 })
  expect(await files()).toEqual([`${queryId}.${count > 1000 ? 'parquet' : 'json'}`])
  const first = await reader.read(queryId, { offset: 0, limit: 3 })
  expect(first).toMatchObject({ columns: COLUMNS, totalRows: count, complete: true })
  for (const offset of [0, 20_475, 40_955, count - 3].filter((at) => at >= 0)) {
    const window = await reader.read(queryId, { offset, limit: 12 })
    const rows = Math.max(0, Math.min(12, count - offset))
    expect(window?.rows).toEqual(Array.from({ length: rows }, (_, at) => rowOf(offset + at)))
  }
})

test('sorts by value and exports with types', async () => {
  const { keep, reader, exports } = await folder()
  const { queryId, kept } = keep()
  await fill(kept, 20_000)
  await kept.finish({ hasMore: false })
  const sort = { column: 0, descending: false }
  const sorted = await reader.arranged(queryId, { sort, filters: [], offset: 0, limit: 2 })
  expect(sorted?.rows.map(([id]) => id)).toEqual(['-5000', '-4999'])
  const file = join(exports, randomUUID())
  const written = await reader.export(queryId, { format: 'parquet', file, maxBytes: 64 * MIB })
  expect(written?.bytes).toBeGreaterThan(1000)
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  const found = await connection.runAndReadAll(
    `SELECT sum(id), any_value(typeof(id)) FROM read_parquet('${file}')`,
  )
  const ids = Array.from({ length: 20_000 }, (_, i) => i).filter((i) => i % 7 !== 3)
  const sum = ids.reduce((total, i) => total + i - 5000, 0)
  expect(found.getRows()).toEqual([[BigInt(sum), 'BIGINT']])
})

test('keeps no more rows than it may, and says that there were more', async () => {
  const { keep, reader } = await folder()
  const { queryId, kept } = keep({ maxRows: 2500 })
  await fill(kept, 10_000)
  expect(await kept.finish({ hasMore: false })).toEqual({ rows: 2500, complete: false, bytes: 0 })
  const last = await reader.read(queryId, { offset: 2499, limit: 5 })
  expect(last).toMatchObject({ rows: [rowOf(2499)], totalRows: 2500, complete: false })
})

test('keeps what is shown of a result that becomes too large', async () => {
  const { keep, reader, files } = await folder()
  const { queryId, kept } = keep({ maxBytes: 300 * 1024 }, 1500)
  await fill(kept, 60_000)
  expect(await kept.finish({ hasMore: false })).toEqual({ rows: 1500, complete: false, bytes: 0 })
  expect(await reader.read(queryId, { offset: 1499, limit: 5 })).toMatchObject({ rows: [rowOf(1499)] })
  expect(await files()).toEqual([`${queryId}.parquet`])
  const none = keep({ maxBytes: 1024 }, 1500)
  await fill(none.kept, 60_000)
  expect(await none.kept.finish({ hasMore: false })).toBeNull()
  expect(await files()).toEqual([`${queryId}.parquet`])
})

test('keeps nothing where the disk has no room, and gives back what it has reserved', async () => {
  const room = new DiskRoom('/', () => 2 * MIB)
  const { keep, files } = await folder(room)
  const large = keep()
  await fill(large.kept, 20_000)
  expect(await large.kept.finish({ hasMore: false })).toBeNull()
  const fitting = keep({ maxBytes: 2 * MIB })
  await fill(fitting.kept, 5000)
  expect(await fitting.kept.finish({ hasMore: false })).toMatchObject({ rows: 5000 })
  expect(await files()).toHaveLength(1)
  expect(room.promise(2 * MIB)).toBe(true)
})

test('leaves nothing of a result that is abandoned', async () => {
  const { keep, files } = await folder()
  const { kept } = keep()
  await fill(kept, 50_000)
  expect(await files()).toEqual([expect.stringMatching(/\.parquet\.new$/)])
  await kept.abandon()
  expect(await files()).toEqual([])
})

/** Only root can give files away. */
test.skipIf(process.getuid?.() !== 0)(
  'files belong to the user whose the folder of the account is',
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'boathouse-kept-'))
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    const [uid, gid] = [61_998, 61_998]
    await chown(directory, uid, gid)
    const { results } = placesIn(directory)
    for (const count of [1, 50_000]) {
      const queryId = randomUUID()
      const keep = { maxRows: 1_000_000, maxBytes: 64 * MIB }
      const room = new DiskRoom(tmpdir())
      const kept = new KeptRows({ directory: results, room, queryId, keep, shownRows: 10, timeZone: 'UTC' })
      kept.begin(COLUMNS)
      await fill(kept, count)
      await kept.finish({ hasMore: false })
    }
    expect(await stat(results)).toMatchObject({ uid, gid })
    for (const name of await readdir(results))
      expect(await stat(join(results, name))).toMatchObject({ uid, gid })
    expect(await readdir(results)).toHaveLength(2)
  },
)
