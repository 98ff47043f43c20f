import { DuckDBInstance } from '@duckdb/node-api'
import { expect, onTestFinished, test } from 'vitest'
import { cellsOf } from '../../engine/batches.ts'
import { unpacked } from '../../engine/packed-rows.ts'
import type { Cell } from '../../engine/rows.ts'
import { readResult } from './result-rows.ts'
import { TextBatches } from './text-batches.ts'
import { ZoneOffsets } from './zone-offsets.ts'

async function connect(zone: string) {
  const instance = await DuckDBInstance.create(':memory:')
  const [connection, other] = [await instance.connect(), await instance.connect()]
  onTestFinished(() => instance.closeSync())
  await connection.run(`SET TimeZone = '${zone}'`)
  return { connection, other }
}

/** The rows of a select as a sink is given them, and as they are handed over with an outcome. */
async function bothWays(sql: string, zone = 'UTC') {
  const { connection, other } = await connect(zone)
  const stream = await connection.stream(sql)
  const batches = new TextBatches(stream.columnTypes(), new ZoneOffsets(zone, other))
  const sizes: number[] = []
  const sunk: Cell[][] = []
  const packed: Cell[][] = []
  for (let chunk = await stream.fetchChunk(); chunk?.rowCount; chunk = await stream.fetchChunk()) {
    for await (const batch of batches.of(chunk, { from: 0, to: chunk.rowCount })) {
      sizes.push(batch.columns.reduce((sum, { data }) => sum + data.length, 0))
      sunk.push(...cellsOf(batch))
    }
    for await (const batch of batches.packed(chunk, { from: 0, to: chunk.rowCount }))
      packed.push(...cellsOf(batch.packed ? unpacked(batch, stream.columnCount) : batch))
  }
  expect(packed).toEqual(sunk)
  const { result } = await readResult(connection, await connection.run(sql), {
    names: null,
    maxRows: Number.POSITIVE_INFINITY,
  })
  return { sunk, handedOver: result.rows, sizes }
}

test.each(['UTC', 'Europe/Berlin'])('has the texts of the extremes of all types, in %s', async (zone) => {
  const { sunk, handedOver } = await bothWays('FROM test_all_types()', zone)
  expect(sunk).toEqual(handedOver)
  expect(sunk).toHaveLength(3)
})

const r = 'hash(i, 7) / 18446744073709551615'

test.each([
  ['numbers with a fraction', `((${r}) - 0.5) * pow(10, (i % 44) - 22)::DOUBLE`],
  ['short numbers with a fraction', `(((${r}) - 0.5) * pow(10, (i % 20) - 10))::FLOAT`],
  ['whole numbers with a fraction', `(i * 1000003)::DOUBLE`],
  ['long numbers', `(hash(i) >> (i % 64))::UBIGINT`],
  [
    'long numbers with a sign',
    `((hash(i) >> 1)::BIGINT >> (i % 63)) * (CASE WHEN i % 2 = 0 THEN 1 ELSE -1 END)`,
  ],
  [
    'decimals',
    `((hash(i) % 99999999999999)::BIGINT // pow(10, i % 14)::BIGINT + 0.1234)::DECIMAL(18, 4) * (CASE WHEN i % 2 = 0 THEN 1 ELSE -1 END)`,
  ],
  ['decimals without a whole part', `((hash(i) % 1000) / 1000 - 0.5)::DECIMAL(3, 3)`],
  ['short decimals', `((hash(i) % 2000) / 100 - 10)::DECIMAL(4, 2)`],
  ['dates', `DATE '2000-01-01' + ((hash(i) % 4000000)::INTEGER - 2000000)`],
  [
    'moments',
    `make_timestamp((hash(i) >> 1)::BIGINT // pow(10, i % 7)::BIGINT * (CASE WHEN i % 2 = 0 THEN 1 ELSE -1 END))`,
  ],
  ['instants', `make_timestamptz((hash(i) >> 12)::BIGINT * (CASE WHEN i % 2 = 0 THEN 1 ELSE -1 END))`],
  ['times', `make_time((i % 24)::BIGINT, (i % 60)::BIGINT, (hash(i) % 59999999) / 1000000)`],
  ['texts around the length that lies in a vector', `repeat('é', (i % 30)::INTEGER)`],
  ['nested values', `{ 'a': [i, NULL], 'b': MAP { 'k': i::VARCHAR } }`],
  ['nothing', `CASE WHEN i % 3 = 0 THEN NULL ELSE i END`],
])('has the texts of %s', async (_, value) => {
  const { sunk, handedOver } = await bothWays(`SELECT ${value} AS v FROM range(5000) t(i)`)
  expect(sunk).toEqual(handedOver)
  expect(sunk).toHaveLength(5000)
})

test.each([0, 1, 2, 3, 8, 9, 10, 17, 18])(
  'has the texts of decimals with %d digits behind the point',
  async (scale) => {
    const digits = `lpad(((hash(i) % 1000000000000000000)::BIGINT // pow(10, i % 19)::BIGINT)::VARCHAR, 19, '0')`
    const text = `left(${digits}, ${19 - scale}) || '.' || right(${digits}, ${scale})`
    const signed = `(${text})::DECIMAL(18, ${scale}) * (CASE WHEN i % 2 = 0 THEN 1 ELSE -1 END)`
    const { sunk, handedOver } = await bothWays(
      `SELECT (${signed})::DECIMAL(18, ${scale}) AS v FROM range(5000) t(i)`,
    )
    expect(sunk).toEqual(handedOver)
    expect(sunk).toHaveLength(5000)
  },
)

test('packs texts of any length', async () => {
  const { sunk } = await bothWays(
    `SELECT i, repeat('é', (i % 200)::INTEGER) AS t, CASE WHEN i % 3 = 0 THEN NULL ELSE repeat('x', (i * 7)::INTEGER) END AS u, i % 2 = 0 AS b FROM range(600) t(i)`,
  )
  expect(sunk).toHaveLength(600)
})

test('makes batches of bounded size, of one row where a row has more', async () => {
  const { sunk, sizes } = await bothWays(
    `SELECT repeat('x', CASE WHEN i = 3 THEN 1000000 ELSE 10000 END), [repeat('y', 1000)] FROM range(100) t(i)`,
  )
  expect(sunk.map(([text]) => text?.length)).toEqual(
    Array.from({ length: 100 }, (_, i) => (i === 3 ? 1e6 : 1e4)),
  )
  expect(sizes.filter((size) => size > 256 * 1024)).toHaveLength(1)
  expect(sizes.length).toBeLessThan(20)
})

test('refuses a row that no reader could hold', async () => {
  await expect(bothWays(`SELECT repeat('x', 40000000), repeat('y', 40000000)`)).rejects.toThrow(
    'A row of the result is larger than 64 MB of text',
  )
})
