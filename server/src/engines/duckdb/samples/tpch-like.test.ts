import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSample, type OpenedSample } from './opened-for-test.ts'
import { tpchLikeStatements } from './tpch-like.ts'

const SMALL = { database: 'shop', scale: 0.01 }
let sample: OpenedSample

beforeAll(async () => {
  sample = await openSample(SMALL)
})
afterAll(() => sample[Symbol.asyncDispose]())

/** Rows of the left query that the right one lacks. */
const strays = async (left: string, right: string): Promise<number> =>
  (await sample.rows(`(${left}) EXCEPT (${right})`)).length

describe('the TPC-H-like sample', () => {
  test('has eight tables with the row counts of its scale', async () => {
    const counts = await sample.rows(
      `SELECT table_name, estimated_size::INTEGER FROM duckdb_tables() WHERE schema_name = 'shop' ORDER BY 1`,
    )
    const lines = counts.find(([name]) => name === 'lineitem')?.[1]
    expect(counts.filter(([name]) => name !== 'lineitem')).toEqual([
      ['customer', 1500],
      ['nation', 25],
      ['orders', 15_000],
      ['part', 2000],
      ['partsupp', 8000],
      ['region', 5],
      ['supplier', 100],
    ])
    expect(lines).toBeGreaterThan(59_000)
    expect(lines).toBeLessThan(61_000)
  })

  test('has exact types: keys are integers, money is DECIMAL(15,2), days are dates', async () => {
    const types = await sample.rows(
      `SELECT DISTINCT data_type FROM duckdb_columns() WHERE schema_name = 'shop' ORDER BY 1`,
    )
    expect(types.flat()).toEqual(['BIGINT', 'DATE', 'DECIMAL(15,2)', 'INTEGER', 'VARCHAR'])
  })

  test.each([
    ['SELECT l_orderkey FROM lineitem', 'SELECT o_orderkey FROM orders'],
    ['SELECT o_orderkey FROM orders', 'SELECT l_orderkey FROM lineitem'],
    ['SELECT o_custkey FROM orders', 'SELECT c_custkey FROM customer'],
    ['SELECT l_partkey, l_suppkey FROM lineitem', 'SELECT ps_partkey, ps_suppkey FROM partsupp'],
    ['SELECT ps_partkey FROM partsupp', 'SELECT p_partkey FROM part'],
    ['SELECT ps_suppkey FROM partsupp', 'SELECT s_suppkey FROM supplier'],
    ['SELECT c_nationkey FROM customer', 'SELECT n_nationkey FROM nation'],
    ['SELECT s_nationkey FROM supplier', 'SELECT n_nationkey FROM nation'],
    ['SELECT n_regionkey FROM nation', 'SELECT r_regionkey FROM region'],
  ])('leaves no key of %s without its partner', async (left, right) => {
    expect(await strays(left, right)).toBe(0)
  })

  test.each([
    ['orders', 'o_orderkey'],
    ['lineitem', 'l_orderkey, l_linenumber'],
    ['partsupp', 'ps_partkey, ps_suppkey'],
    ['customer', 'c_custkey'],
  ])('repeats no key of %s', async (table, key) => {
    expect(await sample.rows(`SELECT ${key} FROM ${table} GROUP BY ${key} HAVING count(*) > 1`)).toEqual([])
  })

  test('charges for an order what its lines add up to, to the cent', async () => {
    const wrong = await sample.rows(`SELECT o_orderkey FROM orders JOIN lineitem ON l_orderkey = o_orderkey
      GROUP BY o_orderkey, o_totalprice
      HAVING o_totalprice <> round(sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)), 2)`)
    expect(wrong).toEqual([])
  })

  test('prices a line by its part, and dates and flags follow from each other', async () => {
    const wrong = await sample.rows(`SELECT l_orderkey FROM lineitem
      JOIN part ON p_partkey = l_partkey JOIN orders ON o_orderkey = l_orderkey
      WHERE l_extendedprice <> l_quantity * p_retailprice OR l_shipdate <= o_orderdate
        OR l_receiptdate <= l_shipdate OR o_orderdate NOT BETWEEN '1992-01-01' AND '1998-08-02'
        OR (l_returnflag = 'N') <> (l_receiptdate > '1995-06-17')
        OR (l_linestatus = 'O') <> (l_shipdate > '1995-06-17')`)
    expect(wrong).toEqual([])
  })

  test('draws the columns of a row independently of each other', async () => {
    const relations =
      await sample.first(`SELECT corr(l_quantity, l_discount) AS a, corr(l_quantity, l_tax) AS b,
      corr(l_discount, l_tax) AS c, corr(l_quantity % 2, l_suppkey % 2) AS d FROM lineitem`)
    for (const value of Object.values(relations)) expect(Math.abs(Number(value))).toBeLessThan(0.02)
    const pairs = await sample.first(`SELECT count(*) AS pairs, min(n) / max(n) AS evenness FROM
      (SELECT l_shipmode, l_shipinstruct, count(*) AS n FROM lineitem GROUP BY ALL)`)
    expect(pairs['pairs']).toBe('28')
    expect(pairs['evenness']).toBeGreaterThan(0.85)
  })

  test('is the same data on every machine and with any number of threads', async () => {
    const digest = `SELECT (SELECT bit_xor(hash(t)) FROM lineitem AS t) AS lines,
      (SELECT bit_xor(hash(t)) FROM orders AS t) AS orders, (SELECT sum(o_totalprice) FROM orders) AS charged`
    await using again = await openSample({ ...SMALL, threads: 4 })
    const [here, there] = [await sample.first(digest), await again.first(digest)]
    expect(there).toEqual(here)
    // A release of DuckDB that hashes in another way changes this number, and nothing else needs to change.
    expect(here['charged']).toBe('2283251599.20')
  })

  test('may be made again over itself', async () => {
    const before = await sample.first('SELECT count(*) AS lines, sum(l_extendedprice) AS price FROM lineitem')
    for (const statement of tpchLikeStatements(SMALL)) await sample.connection.run(statement)
    expect(
      await sample.first('SELECT count(*) AS lines, sum(l_extendedprice) AS price FROM lineitem'),
    ).toEqual(before)
  })
})

test('quotes the name of the database', () => {
  expect(tpchLikeStatements({ database: 'my "own" db', scale: 0.01 })[0]).toBe(
    'CREATE SCHEMA IF NOT EXISTS "my ""own"" db"',
  )
})

test.each([0, -1, Number.NaN, 1000])('refuses the scale %s', (scale) => {
  expect(() => tpchLikeStatements({ database: 'shop', scale })).toThrow('The scale must be 0.001 to 100')
})
