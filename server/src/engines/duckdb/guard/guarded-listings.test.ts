import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { CHANGING_FUNCTIONS } from './changing-functions.ts'
import { MYSQL_FUNCTIONS } from './mysql-functions.ts'
import { newFunctions, SHARED_FUNCTIONS } from './raise-guard.ts'
import { ALLOWED_FUNCTIONS, LISTED_FOR, REFUSED_FUNCTIONS } from './allowed-functions.ts'

const connected = async () => (await DuckDBInstance.create(':memory:')).connect()

test('of every function of this DuckDB it is decided whether it is open', async () => {
  const connection = await connected()
  expect(await newFunctions(connection)).toEqual([])
  expect((await connection.runAndReadAll('SELECT version()')).getRows()).toEqual([[LISTED_FOR]])
})

/** No macro can have one of these names, so that none can hide a function that a text of the service calls. */
test('every function of this DuckDB is known by its name, whatever its letter case', async () => {
  const connection = await connected()
  const found = await connection.runAndReadAll(
    `SELECT DISTINCT lower(function_name) FROM duckdb_functions() WHERE function_type <> 'pragma'`,
  )
  const names = found.getRows().map(([name]) => String(name))
  expect(names).toEqual(expect.arrayContaining(['duckdb_columns', 'unnest', '||', 'formatreadablesize']))
  expect(names.filter((name) => !SHARED_FUNCTIONS.has(name))).toEqual([])
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

test('every function that may give another value each time is known as one', async () => {
  const connection = await connected()
  const found = await connection.runAndReadAll(
    `SELECT DISTINCT function_name FROM duckdb_functions() WHERE stability = 'VOLATILE' ORDER BY 1`,
  )
  const names = found.getRows().map(([name]) => String(name))
  expect(names).toContain('random')
  expect(names.filter((name) => !CHANGING_FUNCTIONS.has(name))).toEqual([])
  const made = MYSQL_FUNCTIONS.filter(({ body }) => names.some((name) => body.includes(`${name}(`)))
  expect(made.map(({ name }) => name).filter((name) => !CHANGING_FUNCTIONS.has(name))).toEqual([])
})
