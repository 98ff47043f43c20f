import { DuckDBInstance } from '@duckdb/node-api'
import { expect, onTestFinished, test } from 'vitest'
import { KnownDefinitions } from './definitions.ts'
import { ObjectUses } from './object-uses.ts'

test('all that a statement changes is told, unless something goes with what it drops', async () => {
  const instance = await DuckDBInstance.create(':memory:')
  onTestFinished(() => instance.closeSync())
  const connection = await instance.connect()
  onTestFinished(() => connection.closeSync())
  await connection.run('CREATE SCHEMA s; CREATE TABLE cascades (i int); CREATE VIEW v AS FROM cascades')
  const uses = new ObjectUses(connection, () => null)
  const isAll = async (sql: string) =>
    (await uses.changesOf(sql, new KnownDefinitions().in(connection, null))).isAll
  for (const sql of [
    `CREATE TABLE other (i int DEFAULT (length('cascade')))`,
    'CREATE TABLE "CASCADE" (i int)',
    'ALTER TABLE cascades RENAME TO cascade',
    'DROP TABLE cascades -- CASCADE',
    'DROP SCHEMA s RESTRICT',
  ])
    expect([sql, await isAll(sql)]).toEqual([sql, true])
  for (const sql of ['DROP SCHEMA s CASCADE', 'DROP TABLE IF EXISTS cascades cAsCaDe', 'DROP VIEW v CASCADE'])
    expect([sql, await isAll(sql)]).toEqual([sql, false])
})
