import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { readResult } from './result-rows.ts'

const COUNT = 20_000

/** Texts as we write them and as DuckDB casts them, for as many values as there are rows. */
async function bothTexts(expression: string) {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run('SELECT setseed(0.42)')
  // Bits of every size: most random numbers would be large.
  const bits = `(hash(i, 1) >> (hash(i, 2) % 64)::INTEGER)::UBIGINT`
  await connection.run(
    `CREATE TABLE v AS SELECT ${expression} AS v FROM (SELECT i, ${bits} AS bits FROM range(${COUNT}) r(i))`,
  )
  const options = { names: null, maxRows: COUNT }
  const { result: ours } = await readResult(connection, await connection.run('FROM v'), options)
  const asText = await connection.run('SELECT v::VARCHAR FROM v')
  const { result: theirs } = await readResult(connection, asText, options)
  expect(ours.rows).toHaveLength(COUNT)
  return { ours: ours.rows, theirs: theirs.rows }
}

const SIGNED = 'CASE WHEN i % 2 = 0 THEN 1 ELSE -1 END'
const TEXT = `list_aggregate(list_transform(range((bits % 5)::BIGINT), x -> chr((32 + hash(i, x) % 95)::INTEGER)), 'string_agg', '')`

test.each([
  ['doubles', `${SIGNED} * (bits % 9007199254740993)::DOUBLE * pow(10, (hash(i, 3) % 600)::INTEGER - 300)`],
  ['short doubles', `${SIGNED} * (bits % 10000)::DOUBLE * pow(10, (hash(i, 3) % 40)::INTEGER - 20)`],
  ['decimals', `((${SIGNED} * (bits >> 1)::HUGEINT)::HUGEINT::DECIMAL(38,0) / 1000)::DECIMAL(38,12)`],
  ['dates', `DATE '1970-01-01' + (${SIGNED} * (bits % 2147000000)::BIGINT)::INTEGER`],
  ['dates around the year 0', `DATE '0001-01-01' + (i - ${COUNT / 2})::INTEGER`],
  ['timestamps', `make_timestamp(${SIGNED} * (bits >> 2)::BIGINT)`],
  ['timestamps in nanoseconds', `make_timestamp_ns(${SIGNED} * (bits >> 2)::BIGINT)`],
  ['timestamps in milliseconds', `epoch_ms(${SIGNED} * (bits % 9000000000000)::BIGINT)::TIMESTAMP_MS`],
  ['times', `make_time((bits % 24)::BIGINT, (i % 60), (hash(i, 4) % 60000000)::DOUBLE / 1000000)`],
  [
    'intervals',
    `to_months((${SIGNED} * (bits % 100000)::BIGINT)::INTEGER) + to_days((i % 400)::INTEGER - 200) + to_microseconds(${SIGNED} * (hash(i, 5) % 1000000000000)::BIGINT)`,
  ],
  ['blobs', `unhex(to_hex(bits))`],
  ['bits', `bits::BIT`],
  ['lists of texts', `[${TEXT}, NULL, ${TEXT} || i]`],
  ['structs', `{'a': ${TEXT}, 'b''s': [i], 'c d': {'e': ${TEXT}}}`],
  ['maps', `MAP {coalesce(${TEXT}, 'none'): ${TEXT}, i::VARCHAR: NULL}`],
])('writes %s as DuckDB does', async (_, expression) => {
  const { ours, theirs } = await bothTexts(expression)
  expect(ours.filter(([text], at) => text !== theirs[at]?.[0])).toEqual([])
})

test.each([
  [
    'of every size',
    `(${SIGNED} * (bits % 16777217)::DOUBLE * pow(10, (hash(i, 3) % 60)::INTEGER - 30))::FLOAT`,
  ],
  [
    'beside powers of two',
    `(${SIGNED} * pow(2, (i % 277)::INTEGER - 149) * (1 + (i % 3 - 1) * 1.2e-7))::FLOAT`,
  ],
])('writes floats %s so that they read back, with no more digits than DuckDB', async (_, expression) => {
  const { ours, theirs } = await bothTexts(expression)
  const wrong = ours.filter(
    ([text], at) => Math.fround(Number(text)) !== Math.fround(Number(theirs[at]?.[0])),
  )
  const longer = ours.filter(([text], at) => (text?.length ?? 0) > (theirs[at]?.[0]?.length ?? 0))
  expect([wrong, longer]).toEqual([[], []])
})
