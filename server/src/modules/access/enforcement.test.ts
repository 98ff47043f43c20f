import { CODES, perms, schema } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp, type TestUser } from '../../testing/start-app.ts'

const DENIED = CODES.NoPermission.code
const OK = CODES.Ok.code

async function setUp() {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const grace = await app.user()
  const asAdmin = await session(admin)
  const asGrace = await session(grace)
  for (const sql of [
    'CREATE TABLE boats (a INT)',
    'CREATE TABLE oars (a INT)',
    'INSERT INTO boats VALUES (1)',
    'CREATE VIEW fleet AS SELECT * FROM boats',
  ])
    expect([sql, (await asAdmin(sql)).errMsg]).toEqual([sql, ''])
  return { app, admin, grace, asAdmin, asGrace }
}

async function session(who: TestUser) {
  const channel = await who.channel()
  let connId = 0
  return async (sql: string) => {
    const answers = await channel.run(sql, { connId, oriConnId: connId })
    const last = answers.at(-1)
    if (!last) throw new Error('no answer')
    connId = last.connId
    return last
  }
}

const REFUSED = [
  ['SELECT * FROM boats', 'SELECT on TABLE default_catalog.main.boats'],
  ['SELECT * FROM "BOATS" AS oars', 'SELECT on TABLE default_catalog.main.boats'],
  [
    'WITH x AS (FROM default_catalog.main.boats) SELECT 1 FROM x',
    'SELECT on TABLE default_catalog.main.boats',
  ],
  ['SELECT (SELECT max(a) FROM boats)', 'SELECT on TABLE default_catalog.main.boats'],
  ['EXPLAIN SELECT * FROM boats', 'SELECT on TABLE default_catalog.main.boats'],
  ['DESCRIBE SELECT * FROM boats', 'SELECT on TABLE default_catalog.main.boats'],
  ['SELECT * FROM fleet', 'SELECT on VIEW default_catalog.main.fleet'],
  ['INSERT INTO boats VALUES (2)', 'INSERT on TABLE default_catalog.main.boats'],
  ['UPDATE boats SET a = 2', 'UPDATE on TABLE default_catalog.main.boats'],
  ['DELETE FROM boats', 'DELETE on TABLE default_catalog.main.boats'],
  ['CREATE TABLE mine (a INT)', 'CREATE TABLE on DATABASE default_catalog.main'],
  ['CREATE VIEW mine AS SELECT 1', 'CREATE VIEW on DATABASE default_catalog.main'],
  ['DROP TABLE boats', 'DROP on TABLE default_catalog.main.boats'],
  ['ALTER TABLE boats ADD COLUMN b INT', 'ALTER on TABLE default_catalog.main.boats'],
  ['CREATE DATABASE mine', 'CREATE DATABASE on CATALOG default_catalog'],
  ['DROP DATABASE main', 'DROP on DATABASE default_catalog.main'],
] as const

test('pain 27: everything is refused to who was given nothing, and it says what is missing and who can grant it', async () => {
  const { asGrace } = await setUp()
  expect((await asGrace('SELECT * FROM boats')).errMsg).toContain(
    'Its owner, an administrator who has it, or anyone with the grant option can grant it to you.',
  )
  for (const [sql, missing] of REFUSED)
    expect([sql, await asGrace(sql)]).toEqual([
      sql,
      expect.objectContaining({ errCode: DENIED, errMsg: expect.stringContaining(missing) as string }),
    ])
})

test('who was given nothing may still compute, and sees no names', async () => {
  const { grace, asGrace } = await setUp()
  expect((await asGrace('SELECT 1 + 1')).result).toEqual([['2']])
  expect((await asGrace('SHOW TABLES')).result).toEqual([])
  const place = { catalog: 'default_catalog', databaseName: 'main' }
  expect((await grace.call(schema.tables, place)).data).toMatchObject({ total: 0 })
  expect((await asGrace('SHOW ALL TABLES')).result).toEqual([])
  expect((await asGrace('SHOW DATABASES')).result).toEqual([['main']])
})

test('SELECT on one table opens that one and no other, and is gone with the next statement when it is revoked', async () => {
  const { asAdmin, grace, asGrace } = await setUp()
  await asAdmin(`GRANT SELECT ON boats TO ${grace.name}`)
  expect((await asGrace('SELECT * FROM boats')).result).toEqual([['1']])
  expect((await asGrace('SELECT * FROM boats JOIN oars USING (a)')).errCode).toBe(DENIED)
  expect((await asGrace('INSERT INTO boats VALUES (3)')).errCode).toBe(DENIED)
  expect((await asGrace('SHOW TABLES')).result).toEqual([['boats']])
  await asAdmin(`REVOKE SELECT ON boats FROM ${grace.name}`)
  expect((await asGrace('SELECT * FROM boats')).errCode).toBe(DENIED)
})

test('a view is read with the privilege on the view alone', async () => {
  const { asAdmin, grace, asGrace } = await setUp()
  await asAdmin(`GRANT SELECT ON VIEW fleet TO ${grace.name}`)
  expect((await asGrace('SELECT * FROM fleet')).result).toEqual([['1']])
  expect((await asGrace('SELECT * FROM boats')).errCode).toBe(DENIED)
})

test('a role brings its privileges while it is active: not before, and not without it', async () => {
  const { asAdmin, grace, asGrace } = await setUp()
  await asAdmin('CREATE ROLE readers')
  await asAdmin('GRANT SELECT ON ALL TABLES IN DATABASE main TO ROLE readers')
  await asAdmin(`GRANT readers TO ${grace.name}`)
  expect((await asGrace('SELECT count(*) FROM boats')).errCode).toBe(OK)
  expect((await asGrace('SHOW TABLES')).result).toEqual([['boats'], ['oars']])
  await asGrace('SET ROLE NONE')
  expect((await asGrace('SELECT count(*) FROM boats')).errCode).toBe(DENIED)
  await asGrace('SET ROLE readers')
  expect((await asGrace('SELECT count(*) FROM boats')).errCode).toBe(OK)
  await grace.call(perms.setRoles, { roles: [] })
  await asGrace('SET ROLE DEFAULT')
  expect(await asGrace('SELECT count(*) FROM boats')).toMatchObject({
    errCode: DENIED,
    errMsg: expect.stringContaining('Activate that role in your profile'),
  })
})

test('what was shown once is not shown again to who may not read it any more', async () => {
  const { asAdmin, grace, asGrace } = await setUp()
  await asAdmin(`GRANT SELECT ON boats TO ${grace.name}`)
  const channel = await grace.channel()
  const request = { connId: 0, oriConnId: 0, requestId: 'the-same' }
  const [first] = await channel.run('SELECT * FROM boats', request)
  expect(first?.errCode).toBe(OK)
  await asAdmin(`REVOKE SELECT ON boats FROM ${grace.name}`)
  const [second] = await channel.run('SELECT * FROM boats', request)
  expect(second).toMatchObject({ errCode: DENIED, result: [] })
  expect((await asGrace('SELECT 1')).errCode).toBe(OK)
})

test('a grant survives a new name of its table and dies with it; who makes a table may do everything with it', async () => {
  const { asAdmin, grace, asGrace } = await setUp()
  await asAdmin(`GRANT SELECT ON boats TO ${grace.name}`)
  await asAdmin('DROP VIEW fleet')
  await asAdmin('ALTER TABLE boats RENAME TO ships')
  expect((await asGrace('FROM ships')).result).toEqual([['1']])
  await asAdmin('DROP TABLE ships')
  await asAdmin('CREATE TABLE ships (a INT)')
  expect((await asGrace('FROM ships')).errCode).toBe(DENIED)
  await asAdmin(`GRANT CREATE TABLE ON DATABASE main TO ${grace.name}`)
  for (const sql of [
    'CREATE TABLE mine (a INT)',
    'INSERT INTO mine VALUES (1)',
    'FROM mine',
    'DROP TABLE mine',
  ])
    expect([sql, (await asGrace(sql)).errMsg]).toEqual([sql, ''])
  expect((await asGrace('SHOW GRANTS')).result.map((row) => row[2])).toEqual([
    `GRANT CREATE TABLE ON DATABASE default_catalog.main TO USER "${grace.name}"`,
  ])
})

test('nobody comes to data by making something of it', async () => {
  const { asAdmin, grace, asGrace } = await setUp()
  await asAdmin(`GRANT CREATE TABLE, CREATE VIEW, CREATE FUNCTION ON DATABASE main TO ${grace.name}`)
  await asAdmin(`GRANT SELECT ON VIEW fleet TO ${grace.name}`)
  for (const sql of [
    'CREATE VIEW stolen AS SELECT * FROM boats',
    'CREATE OR REPLACE VIEW fleet AS SELECT 1 AS a',
    'CREATE OR REPLACE TABLE boats AS SELECT 2 AS a',
    'CREATE TABLE stolen AS SELECT * FROM boats',
    'CREATE TABLE stolen AS SELECT (SELECT max(a) FROM boats) AS a',
    'INSERT INTO boats SELECT 1',
    "COMMENT ON TABLE boats IS 'mine'",
  ])
    expect([sql, (await asGrace(sql)).errCode]).toEqual([sql, DENIED])
  await asGrace('CREATE MACRO stolen() AS TABLE SELECT * FROM boats')
  expect((await asGrace('FROM stolen()')).result, 'a macro reads by the rights of who calls it').toEqual([])
  // What it may see it may keep.
  expect((await asGrace('CREATE TABLE mine AS SELECT * FROM fleet')).errMsg).toBe('')
  expect((await asAdmin('SELECT count(*) FROM boats')).result).toEqual([['1']])
})

test('a text that ran is checked again: by what its names mean now, and by what was revoked since', async () => {
  const { grace, asAdmin, asGrace } = await setUp()
  const admin = async (...texts: string[]) => {
    for (const sql of texts) expect([sql, (await asAdmin(sql)).errMsg]).toEqual([sql, ''])
  }
  const TEXT = 'SELECT * FROM boats'
  const read = async () => {
    const { errCode, result } = await asGrace(TEXT)
    return errCode === OK ? result : errCode
  }
  await admin('CREATE DATABASE yard', 'CREATE TABLE yard.boats AS SELECT 6 AS a')
  await admin('CREATE TABLE yard.sevens AS SELECT 7 AS a')
  await admin(`GRANT SELECT ON boats TO ${grace.name}`, `GRANT CREATE VIEW ON DATABASE yard TO ${grace.name}`)
  expect([await read(), await read()]).toEqual([[['1']], [['1']]])

  await asGrace('USE yard')
  expect([await read(), await read()]).toEqual([DENIED, DENIED])
  await asGrace('USE main')
  expect([await read(), await read()]).toEqual([[['1']], [['1']]])

  await asGrace('CREATE TEMP TABLE boats AS SELECT 5 AS a')
  expect([await read(), await read()]).toEqual([[['5']], [['5']]])
  await asGrace('DROP TABLE temp.boats')
  expect(await read()).toEqual([['1']])

  await asGrace('BEGIN')
  expect([await read(), await read()]).toEqual([[['1']], [['1']]])
  await admin('DROP VIEW fleet', 'ALTER TABLE boats RENAME TO ships', 'CREATE VIEW boats AS FROM yard.sevens')
  // Of the moment at which the transaction began.
  expect(await read()).not.toEqual([['7']])
  await asGrace('ROLLBACK')
  expect([await read(), await read()]).toEqual([DENIED, DENIED])

  await admin(`GRANT SELECT ON VIEW boats TO ${grace.name}`)
  expect([await read(), await read()]).toEqual([[['7']], [['7']]])
  await admin(`REVOKE SELECT ON VIEW boats FROM ${grace.name}`)
  expect(await read()).toBe(DENIED)
})

test('a table that is named by a value is the one that the value names now', async () => {
  const { grace, asAdmin, asGrace } = await setUp()
  await asAdmin(`GRANT SELECT ON boats TO ${grace.name}`)
  const TEXT = `SELECT count(*) FROM query_table(getvariable('which'))`
  await asGrace(`SET VARIABLE which = 'boats'`)
  expect([(await asGrace(TEXT)).errCode, (await asGrace(TEXT)).errCode]).toEqual([OK, OK])
  await asGrace(`SET VARIABLE which = 'oars'`)
  expect([(await asGrace(TEXT)).errCode, (await asGrace(TEXT)).errCode]).toEqual([DENIED, DENIED])
  for (let round = 0; round < 20; round++) {
    const chosen = `query_table(CASE WHEN random() < 0.5 THEN 'boats' ELSE 'oars' END)`
    const { errCode, result } = await asGrace(`SELECT count(*) FROM ${chosen} -- ${round}`)
    expect([errCode, result]).not.toEqual([OK, [['0']]])
  }
})
