import { expect, test } from 'vitest'
import { startApp } from '../../testing/start-app.ts'

async function setUp() {
  const app = await startApp({}, { engine: 'duckdb' })
  const channel = await (await app.admin()).channel()
  const run = async (sql: string, connId = 0) => {
    const [answer] = await channel.run(sql, { connId })
    return answer
  }
  for (const sql of [
    'CREATE DATABASE boats',
    `CREATE TABLE boats.oars (id BIGINT PRIMARY KEY, name VARCHAR DEFAULT 'x')`,
    'CREATE VIEW boats.fleet AS SELECT id FROM boats.oars',
    `COMMENT ON COLUMN boats.oars.name IS 'its name'`,
  ])
    expect((await run(sql))?.errMsg).toBe('')
  return { app, run, channel }
}

test('DESC and SHOW COLUMNS tell the columns of a table and of a view', async () => {
  const { run } = await setUp()
  const oars = [
    ['id', 'BIGINT', 'NO', 'PRI', null, ''],
    ['name', 'VARCHAR', 'YES', '', "'x'", ''],
  ]
  const described = await run('DESC boats.oars')
  expect(described?.fields?.map(({ name }) => name)).toEqual([
    'Field',
    'Type',
    'Null',
    'Key',
    'Default',
    'Extra',
  ])
  expect(described?.result).toEqual(oars)
  expect((await run('DESCRIBE TABLE default_catalog.BOATS.Oars'))?.result).toEqual(oars)
  expect((await run('SHOW COLUMNS FROM oars FROM boats'))?.result).toEqual(oars)
  expect((await run(`SHOW FULL COLUMNS FROM boats.oars LIKE 'na%'`))?.result).toEqual([
    ['name', 'VARCHAR', null, 'YES', '', "'x'", '', '', 'its name'],
  ])
  expect((await run('DESC boats.fleet'))?.result).toEqual([['id', 'BIGINT', 'YES', '', null, '']])
})

test('SHOW CREATE and SHOW VIEWS tell what there is', async () => {
  const { run } = await setUp()
  expect((await run('SHOW CREATE TABLE boats.oars'))?.result).toEqual([
    ['oars', expect.stringContaining('CREATE TABLE')],
  ])
  expect((await run('SHOW CREATE VIEW boats.fleet'))?.result?.[0]?.[1]).toContain('CREATE VIEW')
  expect((await run('SHOW CREATE VIEW boats.oars'))?.errMsg).toContain('There is no view oars')
  expect((await run('SHOW CREATE DATABASE boats'))?.result).toEqual([['boats', 'CREATE DATABASE "boats"']])
  expect((await run('SHOW VIEWS FROM boats'))?.result).toEqual([['fleet']])
  expect((await run(`SHOW VIEWS FROM boats LIKE 'x%'`))?.result).toEqual([])
})

test('they see what an open transaction has made, from where the connection stands', async () => {
  const { run } = await setUp()
  const begun = await run('BEGIN')
  const connId = begun?.connId ?? 0
  await run('USE boats', connId)
  await run('CREATE TABLE hulls (n INT)', connId)
  expect((await run('DESC hulls', connId))?.result).toEqual([['n', 'INTEGER', 'YES', '', null, '']])
  await run('ROLLBACK', connId)
  expect((await run('DESC hulls', connId))?.errMsg).toContain('There is no table hulls')
})
