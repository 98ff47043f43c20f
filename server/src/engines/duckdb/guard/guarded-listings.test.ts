import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { newFunctions } from './raise-guard.ts'
import { ALLOWED_FUNCTIONS, LISTED_FOR, REFUSED_FUNCTIONS } from './known-functions.ts'

const connected = async () => (await DuckDBInstance.create(':memory:')).connect()

test('of every function of this DuckDB it is decided whether it is open', async () => {
  const connection = await connected()
  expect(await newFunctions(connection)).toEqual([])
  expect((await connection.runAndReadAll('SELECT version()')).getRows()).toEqual([[LISTED_FOR]])
})

test('no function is both open and refused', () => {
  expect(REFUSED_FUNCTIONS.filter((name) => ALLOWED_FUNCTIONS.has(name))).toEqual([])
})

test('a function that nobody has looked at is found', async () => {
  const connection = await connected()
  // As one of DuckDB's own would be.
  const unseen = await newFunctions({
    runAndReadAll: (sql: string) =>
      connection.runAndReadAll(`${sql} UNION ALL VALUES ('read_minds', true), ('guess', false)`),
  } as never)
  expect(unseen).toEqual([
    ['read_minds', true],
    ['guess', false],
  ])
})
