import { CODES } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { MINUTES } from '../../testing/fake-clock.ts'
import { sharedApp } from '../../testing/start-app.ts'
import { done, type Run, session } from '../../testing/view-kit.ts'

const MARKER = 'MARKER'
const STEALS = '(SELECT min(word) FROM shop.secret_t)'

const app = sharedApp({}, { engine: 'embedded' })
let ready: ReturnType<typeof prepare> | undefined

/** An administrator, ada who reads what is secret, mel who makes things in lab, and grace who reads what she is given. */
async function prepare() {
  const { admin, user } = await app()
  const [boss, ada, mel, grace] = [await admin(), await user(), await user(), await user()]
  const [asBoss, asAda, asMel, asGrace] = [
    await session(boss),
    await session(ada),
    await session(mel),
    await session(grace),
  ]
  await done(
    asBoss,
    'CREATE DATABASE shop',
    'CREATE DATABASE lab',
    `CREATE TABLE shop.secret_t AS SELECT 1 AS id, '${MARKER}' AS word`,
    'CREATE TABLE main.orders AS SELECT 1 AS id',
    `GRANT SELECT ON TABLE shop.secret_t TO ${ada.name}`,
    `GRANT CREATE VIEW, CREATE FUNCTION ON DATABASE main TO ${ada.name}`,
    `GRANT CREATE VIEW, CREATE FUNCTION, CREATE TABLE ON DATABASE lab TO ${mel.name}`,
  )
  return { ada, mel, grace, asBoss, asAda, asMel, asGrace }
}

const prepared = () => (ready ??= prepare())

async function refusal(run: Run, sql: string): Promise<string> {
  const { errMsg, result } = await run(sql)
  expect([sql, JSON.stringify([errMsg, result])]).toEqual([sql, expect.not.stringContaining(MARKER)])
  expect([sql, errMsg]).not.toEqual([sql, ''])
  return errMsg
}

/** What mel does to have a view that an administrator refreshes hold what is secret; of names with this ending. */
const WAYS: readonly (readonly [
  how: string,
  query: string,
  made: readonly string[],
  turned: readonly string[],
])[] = [
  [
    'a macro that is replaced',
    'SELECT lab.bonus_1(id) AS b FROM main.orders',
    ['CREATE MACRO lab.bonus_1(x) AS x::VARCHAR'],
    [`CREATE OR REPLACE MACRO lab.bonus_1(x) AS ${STEALS}`],
  ],
  [
    'a macro that is dropped and made again',
    'SELECT lab.bonus_2(id) AS b FROM main.orders',
    ['CREATE MACRO lab.bonus_2(x) AS x::VARCHAR'],
    ['DROP MACRO lab.bonus_2', `CREATE MACRO lab.bonus_2(x) AS ${STEALS}`],
  ],
  [
    'a macro that a macro calls',
    'SELECT lab.bonus_3(id) AS b FROM main.orders',
    ['CREATE MACRO lab.inner_3(x) AS x::VARCHAR', 'CREATE MACRO lab.bonus_3(x) AS lab.inner_3(x)'],
    [`CREATE OR REPLACE MACRO lab.inner_3(x) AS ${STEALS}`],
  ],
  [
    'a macro that makes a table',
    'SELECT b FROM lab.rows_4()',
    [`CREATE MACRO lab.rows_4() AS TABLE SELECT '1' AS b`],
    [`CREATE OR REPLACE MACRO lab.rows_4() AS TABLE SELECT ${STEALS} AS b`],
  ],
  [
    'a view that calls a macro by now',
    'SELECT b FROM lab.view_5',
    [`CREATE VIEW lab.view_5 AS SELECT '1' AS b`, `CREATE MACRO lab.bonus_5() AS '1'`],
    [
      'CREATE OR REPLACE VIEW lab.view_5 AS SELECT lab.bonus_5() AS b',
      `CREATE OR REPLACE MACRO lab.bonus_5() AS ${STEALS}`,
    ],
  ],
  [
    'a table that is a view by now',
    'SELECT b FROM lab.table_6',
    [`CREATE TABLE lab.table_6 AS SELECT '1' AS b`, `CREATE MACRO lab.bonus_6() AS '1'`],
    [
      'DROP TABLE lab.table_6',
      'CREATE VIEW lab.table_6 AS SELECT lab.bonus_6() AS b',
      `CREATE OR REPLACE MACRO lab.bonus_6() AS ${STEALS}`,
    ],
  ],
]

test.each(WAYS)('a materialized view is not refreshed with %s', async (_, query, made, turned) => {
  const { mel, asBoss, asMel } = await prepared()
  await done(asMel, ...made)
  const name = `main.mv_${WAYS.findIndex(([, one]) => one === query)}`
  await done(
    asBoss,
    `CREATE MATERIALIZED VIEW ${name} REFRESH MANUAL AS ${query}`,
    `GRANT SELECT ON MATERIALIZED VIEW ${name} TO ${mel.name}`,
  )
  await done(asMel, ...turned)
  const why = await refusal(asBoss, `REFRESH MATERIALIZED VIEW ${name} WITH SYNC MODE`)
  expect(why).toMatch(/which it uses, has changed since .* ALTER MATERIALIZED VIEW .* RESUME/)
  expect(JSON.stringify((await asMel(`FROM ${name}`)).result)).not.toContain(MARKER)
})

test('the owner or an administrator confirms a materialized view, and nobody else', async () => {
  const { mel, asBoss, asMel } = await prepared()
  await done(asMel, 'CREATE MACRO lab.bonus_7(x) AS x')
  await done(
    asBoss,
    'CREATE MATERIALIZED VIEW main.mv_7 REFRESH MANUAL AS SELECT lab.bonus_7(id) AS b FROM main.orders',
    `GRANT ALL ON MATERIALIZED VIEW main.mv_7 TO ${mel.name}`,
  )
  await done(
    asMel,
    `CREATE OR REPLACE MACRO lab.bonus_7(x) AS ${STEALS}`,
    'ALTER MATERIALIZED VIEW main.mv_7 PAUSE',
    'ALTER MATERIALIZED VIEW main.mv_7 RESUME',
  )
  await refusal(asMel, 'REFRESH MATERIALIZED VIEW main.mv_7 WITH SYNC MODE')
  expect((await asMel('FROM main.mv_7')).result).toEqual([['1']])
  await done(asMel, 'CREATE OR REPLACE MACRO lab.bonus_7(x) AS x + 1')
  await done(
    asBoss,
    'ALTER MATERIALIZED VIEW main.mv_7 RESUME',
    'REFRESH MATERIALIZED VIEW main.mv_7 WITH SYNC MODE',
  )
  expect((await asMel('FROM main.mv_7')).result).toEqual([['2']])
})

test('a view does not read with a macro that somebody has changed until its owner confirms it', async () => {
  const { ada, mel, grace, asAda, asBoss, asMel, asGrace } = await prepared()
  await done(asBoss, `GRANT USAGE ON ALL FUNCTIONS IN DATABASE lab TO ${ada.name}`)
  await done(asMel, 'CREATE MACRO lab.bonus_8(x) AS x')
  const make =
    'VIEW main.report AS SELECT lab.bonus_8(id) AS b, count(*) AS n FROM shop.secret_t GROUP BY ALL'
  await done(asAda, `CREATE ${make}`)
  for (const { name } of [mel, grace]) await done(asAda, `GRANT SELECT ON VIEW main.report TO ${name}`)
  expect((await asGrace('FROM main.report')).result).toEqual([['1', '1']])
  await done(asMel, `CREATE OR REPLACE MACRO lab.bonus_8(x) AS ${STEALS}`)
  for (const run of [asMel, asGrace]) {
    const why = await refusal(run, 'FROM main.report')
    expect(why).toContain('an object that it uses was changed by another user')
    expect(why).not.toContain('bonus_8')
  }
  expect(await refusal(asAda, 'FROM main.report')).toContain(
    'the macro lab.bonus_8, which it uses, was changed by another user',
  )
  await done(asMel, 'CREATE OR REPLACE MACRO lab.bonus_8(x) AS x')
  expect((await asGrace('FROM main.report')).result, 'as it was').toEqual([['1', '1']])
  await done(asMel, 'CREATE OR REPLACE MACRO lab.bonus_8(x) AS x + 1')
  expect((await asGrace('FROM main.report')).errCode).toBe(CODES.NoPermission.code)
  await done(asAda, `CREATE OR REPLACE ${make}`, `GRANT SELECT ON VIEW main.report TO ${grace.name}`)
  expect((await asGrace('FROM main.report')).result).toEqual([['2', '1']])
  await done(asBoss, 'CREATE OR REPLACE MACRO lab.bonus_8(x) AS x + 2')
  expect((await asGrace('FROM main.report')).result, 'an administrator changed it').toEqual([['3', '1']])
})

test('an owner’s own changes need no confirmation, and what somebody else does behind them does', async () => {
  const { mel, grace, asAda, asBoss, asMel, asGrace } = await prepared()
  await done(
    asAda,
    'CREATE MACRO main.scaled(x) AS x',
    'CREATE VIEW main.own AS SELECT scaled(id) AS s FROM shop.secret_t',
    `GRANT SELECT ON VIEW main.own TO ${grace.name}`,
    'CREATE OR REPLACE MACRO main.scaled(x) AS x * 10',
  )
  expect((await asGrace('FROM main.own')).result).toEqual([['10']])
  await done(asAda, 'CREATE OR REPLACE MACRO main.scaled(x) AS x * 20')
  await done(
    asBoss,
    `GRANT CREATE FUNCTION ON DATABASE main TO ${mel.name}`,
    `GRANT ALL ON FUNCTION main.scaled TO ${mel.name}`,
  )
  await done(asMel, `CREATE OR REPLACE MACRO main.scaled(x) AS ${STEALS}`)
  await refusal(asGrace, 'FROM main.own')
})

test('a view whose names mean something else asks to be confirmed', async () => {
  const { grace, asBoss, asMel, asGrace } = await prepared()
  await done(
    asBoss,
    'CREATE TABLE main.prices AS SELECT 1 AS p',
    'CREATE VIEW lab.priced AS SELECT p FROM prices',
    `GRANT SELECT ON VIEW lab.priced TO ${grace.name}`,
  )
  expect((await asGrace('FROM lab.priced')).result).toEqual([['1']])
  await done(asMel, 'CREATE TABLE lab.prices AS SELECT 99 AS p')
  expect((await asGrace('FROM lab.priced')).errMsg).toContain('was changed by another user')
  await done(asMel, 'DROP TABLE lab.prices')
  expect((await asGrace('FROM lab.priced')).result).toEqual([['1']])
})

test('a scheduled task does not run with what somebody has changed until it is confirmed', async () => {
  const { clock, scheduledTasks, materialized } = await app()
  const { mel, asBoss, asMel } = await prepared()
  const pass = async () => {
    clock.advance(5 * MINUTES)
    await scheduledTasks.runDue()
    await materialized.idle()
    return (await asMel('SELECT w FROM main.outbox ORDER BY w')).result.flat()
  }
  await done(asMel, 'CREATE MACRO lab.bonus_9() AS 1')
  await done(
    asBoss,
    'CREATE TABLE main.outbox (w VARCHAR)',
    `GRANT SELECT ON TABLE main.outbox TO ${mel.name}`,
    'SUBMIT TASK sends SCHEDULE EVERY (INTERVAL 5 MINUTE) AS INSERT INTO main.outbox SELECT lab.bonus_9()',
  )
  expect(await pass()).toEqual(['1'])
  expect(await pass()).toEqual(['1', '1'])
  await done(asMel, `CREATE OR REPLACE MACRO lab.bonus_9() AS ${STEALS}`)
  expect(await pass(), 'not run').toEqual(['1', '1'])
  const shown = JSON.stringify((await asBoss('SHOW TASK RUNS')).result)
  expect(shown).toContain('the macro lab.bonus_9, which its statement uses')
  await done(asMel, 'CREATE OR REPLACE MACRO lab.bonus_9() AS 2')
  await done(asBoss, 'ALTER TASK sends RESUME')
  expect(await pass()).toEqual(['1', '1', '2'])
  await done(asBoss, 'DROP TASK sends')
})

test('tables that are made again, and have other columns and rows, need no confirmation', async () => {
  const { grace, asBoss, asGrace } = await prepared()
  await done(
    asBoss,
    'CREATE TABLE main.facts AS SELECT 1 AS a',
    'CREATE VIEW main.facts_v AS SELECT a FROM main.facts',
    'CREATE MATERIALIZED VIEW main.facts_mv REFRESH MANUAL AS SELECT a FROM main.facts_v',
    `GRANT SELECT ON VIEW main.facts_v TO ${grace.name}`,
  )
  for (const sql of [
    'CREATE OR REPLACE TABLE main.facts AS SELECT 2 AS a',
    'ALTER TABLE main.facts ADD COLUMN b INTEGER',
    'INSERT INTO main.facts VALUES (3, 3)',
    'CREATE OR REPLACE TABLE main."FACTS" AS SELECT 4 AS a, 5 AS c',
  ]) {
    await done(asBoss, sql, 'REFRESH MATERIALIZED VIEW main.facts_mv WITH SYNC MODE')
    expect([sql, (await asGrace('FROM main.facts_v')).errMsg]).toEqual([sql, ''])
  }
})

test('a type that is there is replaced and dropped by a database administrator alone: definitions of others use it', async () => {
  const { mel, asBoss, asMel } = await prepared()
  await done(asBoss, `GRANT CREATE TABLE ON DATABASE main TO ${mel.name}`)
  await done(asMel, `CREATE TYPE main.tide AS ENUM ('low', 'high')`)
  await done(asBoss, `CREATE VIEW main.tides AS SELECT 'low'::main.tide < 'high'::main.tide AS is_below`)
  for (const sql of [
    `CREATE OR REPLACE TYPE main.tide AS ENUM ('high', 'low')`,
    `CREATE OR REPLACE TYPE MAIN."TIDE" AS VARCHAR`,
    'DROP TYPE main.tide',
    'DROP TYPE IF EXISTS main.tide CASCADE',
  ])
    expect([sql, (await asMel(sql)).errCode]).toEqual([sql, CODES.NoPermission.code])
  expect((await asBoss('FROM main.tides')).result).toEqual([['true']])
  await done(asBoss, 'DROP VIEW main.tides', 'DROP TYPE main.tide')
})
