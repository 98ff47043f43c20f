import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, onTestFinished, test } from 'vitest'
import { requireIds } from './file-ids.ts'

async function setUp() {
  const folder = await mkdtemp(join(tmpdir(), 'boathouse-ids-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const instance = await DuckDBInstance.create(':memory:')
  onTestFinished(() => instance.closeSync())
  const connection = await instance.connect()
  onTestFinished(() => connection.closeSync())
  let count = 0
  return async (ids: string, identities: readonly number[] = []): Promise<string> => {
    const url = join(folder, `${++count}.parquet`)
    await connection.run(
      `COPY (SELECT {x: 1, y: 2} AS a, [1] AS b, 3 AS c) TO '${url}' (FORMAT parquet, FIELD_IDS ${ids})`,
    )
    return requireIds(() => instance.connect(), [{ url, identities }]).then(
      () => 'read',
      (error: Error) => error.message,
    )
  }
}

test('a file is read when all of its columns have ids, or only the last ones have none', async () => {
  const outcomeOf = await setUp()
  expect(
    await outcomeOf('{a: {__duckdb_field_id: 1, x: 4, y: 5}, b: {__duckdb_field_id: 2, element: 6}, c: 3}'),
  ).toBe('read')
  expect(await outcomeOf('{a: 1, b: 2, c: 3}', [3])).toBe('read')
  expect(await outcomeOf('{a: 1, b: 2}', [1])).toBe('read')
})

test('one in which DuckDB would take columns for empty is refused', async () => {
  const outcomeOf = await setUp()
  const none = expect.stringContaining('have no ids') as unknown
  for (const ids of [
    '{c: 3}',
    '{a: {x: 4, y: 5}}',
    '{b: 2, c: 3}',
    '{a: 1, c: 3}',
    '{a: {x: 4, y: 5}, b: 2, c: 3}',
  ])
    expect([ids, await outcomeOf(ids)]).toEqual([ids, none])
  expect(await outcomeOf('{a: 1, b: 2}', [3])).toContain('the columns of its partitions')
  // The id of a part of a column is not the id of a column.
  expect(await outcomeOf('{a: {__duckdb_field_id: 1, x: 4}, b: 2, c: 3}', [4])).toContain(
    'the columns of its partitions',
  )
})
