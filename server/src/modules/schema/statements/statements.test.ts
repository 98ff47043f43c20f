import { expect, test } from 'vitest'
import { startApp } from '../../../testing/start-app.ts'

async function setUp() {
  const app = await startApp({}, { engine: 'embedded' })
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

test('DESC and SHOW COLUMNS list the columns of a table and of a view', async () => {
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

/** As MariaDB documents them for SHOW COLUMNS: PRI before UNI before MUL, MUL for the first column of an index alone. */
test('the key of a column is reported as MySQL clients expect it', async () => {
  const { run } = await setUp()
  for (const sql of [
    `CREATE TABLE boats.keys (a INT, b INT, c INT UNIQUE, d INT, e INT, f INT, "g, ""h" INT, i INT, J INT, k INT,
      l BIGINT REFERENCES boats.oars (id), m INT, PRIMARY KEY (a, b), UNIQUE (d, e), UNIQUE (a))`,
    'CREATE INDEX of_two ON boats.keys (f, m)',
    'CREATE UNIQUE INDEX odd ON boats.keys ("g, ""h")',
    'CREATE INDEX of_sum ON boats.keys ((i + 1))',
    'CREATE INDEX once ON boats.keys (j)',
    'CREATE UNIQUE INDEX twice ON boats.keys (j)',
    'CREATE UNIQUE INDEX pair ON boats.keys (k, m)',
  ])
    expect((await run(sql))?.errMsg).toBe('')
  const keys = Object.entries({
    a: 'PRI',
    b: 'PRI',
    c: 'UNI',
    d: 'MUL',
    e: '',
    f: 'MUL',
    'g, "h': 'UNI',
    i: '',
    J: 'UNI',
    k: 'MUL',
    l: 'MUL',
    m: '',
  })
  const keysIn = async (sql: string) => (await run(sql))?.result?.map(([name, , , key]) => [name, key])
  expect(await keysIn('DESC boats.keys')).toEqual(keys)
  expect(await keysIn('SHOW COLUMNS FROM boats.keys')).toEqual(keys)
  const full = await run('SHOW FULL COLUMNS FROM boats.keys')
  expect(full?.result?.map(([name, , , , key]) => [name, key])).toEqual(keys)
  const listed = `SELECT column_name, column_key FROM information_schema.columns
    WHERE table_name = 'keys' ORDER BY ordinal_position`
  expect((await run(listed))?.result).toEqual(keys)
})

test('SHOW CREATE and SHOW VIEWS show what there is', async () => {
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
