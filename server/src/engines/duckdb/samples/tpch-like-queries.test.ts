import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSample, type OpenedSample } from './opened-for-test.ts'
import { SAMPLE_SCALE } from './sample-data.ts'
import { TPCH_LIKE_QUERIES } from './tpch-like-queries.ts'

let directory: string
let sample: OpenedSample

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'boathouse samples '))
  sample = await openSample({
    database: 'sample',
    scale: SAMPLE_SCALE,
    path: join(directory, 'account.duckdb'),
  })
})
afterAll(async () => {
  await sample[Symbol.asyncDispose]()
  await rm(directory, { recursive: true })
})

test('the sample takes less than 100 MB on disk', async () => {
  await sample.connection.run('CHECKPOINT')
  expect((await stat(join(directory, 'account.duckdb'))).size).toBeLessThan(100_000_000)
})

test('the queries are numbered q01 to q22', () => {
  const numbers = Array.from({ length: 22 }, (_, index) => `q${String(index + 1).padStart(2, '0')}`)
  expect(TPCH_LIKE_QUERIES.map((query) => query.id)).toEqual(numbers)
})

test.each(TPCH_LIKE_QUERIES)('$id finds something on the sample: $title', async ({ sql }) => {
  const rows = await sample.rows(sql)
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.flat()).not.toContain(null)
})

test('the suppliers who are complained about are left out by q16 and the special requests by q13', async () => {
  const found = await sample.first(`SELECT
    (SELECT count(*) FROM supplier WHERE s_comment LIKE '%Customer%Complaints%')::INTEGER AS complaints,
    (SELECT count(*) FROM orders WHERE o_comment LIKE '%special%requests%')::INTEGER AS requests`)
  expect(found['complaints']).toBeGreaterThan(0)
  expect(found['requests']).toBeGreaterThan(100)
})
