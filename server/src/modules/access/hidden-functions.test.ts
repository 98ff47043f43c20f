import { expect, test } from 'vitest'
import { startApp, type TestUser } from '../../testing/start-app.ts'

async function session(who: TestUser) {
  const channel = await who.channel()
  const [first] = await channel.run('SELECT 1')
  const connId = first?.connId ?? 0
  return async (sql: string) => (await channel.run(sql, { connId })).at(-1)!
}

/** What the service asks to answer DESCRIBE, it asks with its own rights. */
test('nobody reads a table by a macro that the service would call in place of a list of the engine', async () => {
  const app = await startApp({}, { engine: 'duckdb' })
  const asAdmin = await session(await app.admin())
  const grace = await app.user()
  const asGrace = await session(grace)
  for (const sql of [
    `CREATE TABLE secret AS SELECT 'gold' AS a`,
    'CREATE DATABASE own',
    `GRANT CREATE TABLE, CREATE FUNCTION ON DATABASE own TO USER ${grace.name}`,
  ])
    expect((await asAdmin(sql)).errMsg).toBe('')
  for (const sql of ['USE own', 'CREATE TABLE mine (b INT)']) expect((await asGrace(sql)).errMsg).toBe('')
  const body = `AS TABLE SELECT 'default_catalog' AS database_name, 'own' AS schema_name, 'mine' AS table_name,
    a AS column_name, 'INT' AS data_type, true AS is_nullable, NULL AS column_default,
    NULL AS character_maximum_length, NULL AS numeric_precision, NULL AS numeric_scale, NULL AS comment,
    1 AS column_index FROM main.secret`
  for (const macro of [
    'TEMP MACRO duckdb_columns()',
    'MACRO duckdb_columns()',
    'MACRO own."DUCKDB_columns"()',
  ]) {
    expect((await asGrace(`CREATE ${macro} ${body}`)).errMsg).toContain('give the macro another name')
    expect((await asGrace('DESC mine')).result).toEqual([['b', 'INTEGER', 'YES', '', null, '']])
  }
})
