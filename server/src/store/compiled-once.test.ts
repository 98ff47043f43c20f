import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openedStore } from '../testing/database.ts'
import { compiledOnce } from './compiled-once.ts'

const { db } = await openedStore()

test('a query is built once and runs with the values of each call', async () => {
  let built = 0
  const run = compiledOnce(db, (values: { first: number; second: string | null }) => {
    built++
    const query = sql<{
      a: number
      b: string | null
    }>`select ${values.first}::int as a, ${values.second}::text as b`
    return { compile: () => query.compile(db) }
  })
  expect(await run({ first: 1, second: "it's" })).toEqual([{ a: 1, b: "it's" }])
  expect(await Promise.all([run({ first: 2, second: null }), run({ first: 3, second: '' })])).toEqual([
    [{ a: 2, b: null }],
    [{ a: 3, b: '' }],
  ])
  expect(built).toBe(1)
})
