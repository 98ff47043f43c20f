import { DuckDBInstance } from '@duckdb/node-api'
import { expect, onTestFinished, test } from 'vitest'
import { KnownDefinitions } from './definitions.ts'
import { cleanView } from './clean-plans.ts'
import { quoted } from './names.ts'
import { ObjectUses } from './object-uses.ts'
import { Serializer } from './serialized.ts'

/** On a connection beside. */
async function cleanOn(instance: DuckDBInstance) {
  const beside = await instance.connect()
  onTestFinished(() => beside.closeSync())
  const serializer = new Serializer(beside, () => null)
  return {
    async of(view: Parameters<typeof quoted>[0]) {
      const { plan } = await serializer.boundNow(`FROM ${quoted(view)}`)
      return plan && cleanView(plan)
    },
    bound: (query: string) => serializer.boundNow(query),
  }
}

test('all that a statement changes is reported, unless DROP … CASCADE drops more than it names', async () => {
  const instance = await DuckDBInstance.create(':memory:')
  onTestFinished(() => instance.closeSync())
  const connection = await instance.connect()
  onTestFinished(() => connection.closeSync())
  await connection.run('CREATE SCHEMA s; CREATE TABLE cascades (i int); CREATE VIEW v AS FROM cascades')
  const uses = new ObjectUses(connection, () => null, await cleanOn(instance))
  const isAll = async (sql: string) =>
    (
      await uses.changesOf(sql, {
        definitions: new KnownDefinitions().in(connection, null),
        isChanging: false,
      })
    ).isAll
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

const READS = [
  'SELECT * FROM t',
  'FROM t, v',
  'SELECT * FROM "V"',
  "SELECT * FROM 'v'",
  "SELECT * FROM E'\\x76'",
  'SELECT * FROM main.v',
  'WITH v AS (SELECT 1) FROM v',
  'WITH x AS (FROM v) FROM x, t',
  'SELECT v.i FROM t AS v',
  'SELECT i AS v FROM t',
  'INSERT INTO t SELECT * FROM v',
  'CREATE TABLE other AS FROM t',
  "SELECT nextval('s')",
  'DESCRIBE v',
  'SUMMARIZE t',
  "FROM query_table('t')",
  'SELECT typeof((SELECT i FROM t))',
  'SELECT pg_typeof((SELECT c FROM t AS c))',
]

/** What each text uses, by the names of the objects. */
async function usesIn(define: string) {
  const instance = await DuckDBInstance.create(':memory:')
  onTestFinished(() => instance.closeSync())
  const connection = await instance.connect()
  onTestFinished(() => connection.closeSync())
  await connection.run('CREATE SEQUENCE s; CREATE TABLE t (i int); CREATE VIEW v AS FROM t; BEGIN')
  await connection.run(define)
  const uses = new ObjectUses(connection, () => null, await cleanOn(instance))
  const definitions = new KnownDefinitions().in(connection, null)
  return async (sql: string) => {
    const resolved = await uses.of(sql, { definitions, isChanging: false })
    const found = resolved.uses.map(({ action, object, through }) =>
      [action, object.name, through?.name].filter(Boolean).join(' '),
    )
    return { sql, uses: found.toSorted(), isLasting: resolved.isLasting, unresolved: resolved.unresolved }
  }
}

test('what a text uses is the same whether its plan says enough or its names are read too', async () => {
  const byPlan = await usesIn('SELECT 1')
  // Where there is a macro, every text is read for its names.
  const byNames = await usesIn('CREATE MACRO unused() AS 1')
  for (const sql of READS) expect(await byPlan(sql)).toEqual(await byNames(sql))
  expect((await byPlan('FROM v')).uses).toEqual(['read t v', 'read v'])
  expect((await byPlan("FROM query_table('t')")).isLasting).toBe(false)
})

test('an operator that is a macro is the use of a macro', async () => {
  const uses = await usesIn('CREATE MACRO "+"(a, b) AS (SELECT max(i) FROM t)')
  expect((await uses('SELECT i + 1 FROM v')).uses).toContain('read +')
})
