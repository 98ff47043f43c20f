import { mkdir } from 'node:fs/promises'
import { type DuckDBConnection, quotedString } from '@duckdb/node-api'
import { beforeAll, expect, test } from 'vitest'
import { accountSpace, removeSpace } from '../../conformance/fixture.ts'
import { readReport } from '../errors.ts'
import { CHANGEABLE, openSandbox } from './sandbox.ts'

/** DuckDB's own settings, without what we refuse before DuckDB sees it. */
let connection: DuckDBConnection
beforeAll(async () => {
  const space = await accountSpace()
  await mkdir(space.directory, { recursive: true })
  const { instance } = await openSandbox(space)
  connection = await instance.connect()
  return async () => {
    connection.closeSync()
    instance.closeSync()
    await removeSpace(space)
  }
})

test.each([
  `COPY (SELECT 1) TO '/tmp/boathouse-escaped.csv'`,
  `COPY (SELECT 1) TO '/dev/stdout' (FORMAT csv)`,
  `COPY (SELECT 1) TO 'x.csv'`,
  `EXPORT DATABASE '/tmp/boathouse-escaped'`,
  `ATTACH '/tmp/boathouse-escaped.duckdb' AS x`,
  `ATTACH 'x.duckdb' AS x`,
  `INSTALL httpfs`,
  `LOAD httpfs`,
  `LOAD '/tmp/boathouse.duckdb_extension'`,
  `FROM read_text('/etc/passwd')`,
])('leaves %s to no one', async (sql) => {
  const error = await connection.run(sql).then(() => null, readReport)
  expect(error?.type).toBe('Permission')
})

test('has no setting left that opens it again', async () => {
  const changeable = [
    ...CHANGEABLE,
    'Calendar',
    'null_order',
    'worker_threads',
    'max_memory',
    'profile_output',
    'schema',
    'search_path',
  ]
  const settings = await connection.runAndReadAll(
    `SELECT name FROM duckdb_settings() WHERE name NOT IN (${changeable.map(quotedString).join(', ')})`,
  )
  const names = settings.getRows().map(([name]) => String(name))
  expect(names.length).toBeGreaterThan(100)
  const open: string[] = []
  for (const name of names) {
    const attempt = connection.run(`SET ${name} = ${quotedString('1')}`)
    const message = await attempt.then(
      () => 'set',
      (error: unknown) => readReport(error).message,
    )
    if (!message.includes('the configuration has been locked')) open.push(`${name}: ${message}`)
  }
  expect(open).toEqual([])
})
