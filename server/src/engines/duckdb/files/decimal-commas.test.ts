import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { commaCounts, commaNumbers } from './decimal-commas.ts'

async function found(values: readonly string[]) {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    const rows = values.map((value) => `('${value.replaceAll("'", "''")}')`).join(', ')
    const sql = `SELECT ${commaCounts('c').join(', ')} FROM (VALUES ${rows}) AS t(c)`
    const [counts = []] = (await connection.runAndReadAll(sql)).getRowsJS()
    return commaNumbers(counts.map(Number), values.length)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

test.each([
  ['without groups', ['1,5', '2', '-3,25', '0,1234'], { thousands: null, fits: 4 }],
  ['with dots between groups', ['1.234,5', '17', '1.000.000,00'], { thousands: '.', fits: 3 }],
  ['with spaces that do not break', ['1\u00a0234,5', '2,5'], { thousands: ' ', fits: 2 }],
  [
    'where one of ten is something else',
    [...Array<string>(9).fill('1,5'), 'n/a'],
    { thousands: null, fits: 9 },
  ],
])('numbers with decimal commas are found %s', async (_, values, expected) =>
  expect(await found(values)).toEqual(expected),
)

test.each([
  ['that may be groups of three', ['1,234', '12,500']],
  ['of another country', ['1,234.5', '2.5']],
  ['that are lists', ['a,b', 'c']],
  ['that are codes', ['007,5', '012,5']],
  ['too few of which are numbers', ['1,5', 'red', 'blue']],
])('texts %s are left alone', async (_, values) => expect(await found(values)).toBeNull())
