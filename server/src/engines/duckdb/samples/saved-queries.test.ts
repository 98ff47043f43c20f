import { LIMITS, QueryName, SAMPLE_DATABASE } from '@boathouse/contract'
import { splitStatements } from '@boathouse/sql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSample, type OpenedSample } from './opened-for-test.ts'
import { SAVED_QUERIES } from '../../../modules/samples/saved-queries.ts'

let sample: OpenedSample

beforeAll(async () => {
  sample = await openSample({ database: SAMPLE_DATABASE, scale: 0.01 })
})
afterAll(() => sample[Symbol.asyncDispose]())

/** Rows of each statement, split as the product splits them. */
async function run(sql: string): Promise<Record<string, unknown>[][]> {
  const results: Record<string, unknown>[][] = []
  for (const { text } of splitStatements(sql))
    results.push((await sample.connection.runAndReadAll(text)).getRowObjectsJson())
  return results
}

const savedQuery = (name: string): string => SAVED_QUERIES.find((query) => query.name === name)?.sql ?? ''

describe('the saved queries', () => {
  test.each(SAVED_QUERIES)('"$name" runs unchanged and fits on the screen', async ({ sql, name, folder }) => {
    expect(QueryName.safeParse(name).success).toBe(true)
    expect(folder).toBe('Samples')
    for (const rows of await run(sql)) {
      expect(rows.length).toBeGreaterThan(0)
      expect(rows.length).toBeLessThanOrEqual(LIMITS.selectRows)
    }
  })

  test('have names of their own', () => {
    expect(new Set(SAVED_QUERIES.map((query) => query.name)).size).toBe(SAVED_QUERIES.length)
  })

  test('show every digit of decimals and huge integers', async () => {
    const [rows] = await run(savedQuery('Exact decimals, huge integers'))
    expect(rows?.[0]).toMatchObject({
      decimals_are_exact: true,
      floats_are_not: 0.30000000000000004,
      beyond_a_float: '9007199254740993',
      largest_hugeint: '170141183460469231731687303715884105727',
      long_decimal: '12345678901234567890.123456789012345678',
    })
  })

  test('show nested values', async () => {
    const [rows] = await run(savedQuery('Lists, structs and maps'))
    const orders = rows?.[0]?.['largest_orders'] as { price: string }[]
    expect(orders).toHaveLength(3)
    expect(rows?.[0]?.['largest_price']).toBe(orders[0]?.price)
  })

  test('show that the second statement reads what the first has made', async () => {
    const results = await run(savedQuery('Build a table, then read it'))
    expect(results).toHaveLength(2)
    expect(results[1]).toHaveLength(10)
  })
})
