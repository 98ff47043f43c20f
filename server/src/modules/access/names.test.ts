import { CODES, perms, schema } from '@boathouse/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { sharedApp, type TestUser } from '../../testing/start-app.ts'

const shared = sharedApp({}, { engine: 'embedded' })

const DENIED = CODES.NoPermission.code
const OK = CODES.Ok.code
const MARKER = 'kingfisher'

async function session(who: TestUser) {
  const channel = await who.channel()
  let connId = 0
  return async (text: string) => {
    const last = (await channel.run(text, { connId, oriConnId: connId })).at(-1)
    if (!last) throw new Error('no answer')
    connId = last.connId
    return last
  }
}

/** The administrator's, and what somebody calls theirs to be taken for it: one name by Unicode, two to the engine. */
const PAIRS = [
  ['КЛИЕНТЫ', 'клиенты'],
  ['Ärzte', 'ärzte'],
  ['ΣΕΙΡΆ', 'σειρά'],
  ['ÉTÉ', 'été'],
  ['ԱՇԽԱՐՀ', 'աշխարհ'],
  ['Øre', 'øre'],
  ['Привет', 'ПРИВЕТ'],
  ['\u212Aelvin', 'kelvin'],
  ['İstanbul', 'i̇stanbul'],
  ['ǅungla', 'ǆungla'],
  ['𐐀deseret', '𐐨deseret'],
  ['ẞtrasse', 'ßtrasse'],
  ['café', 'cafe\u0301'],
  ['ＷＩＤＥ', 'ｗｉｄｅ'],
] as const

let number = 0

/** Somebody who may make what they like in a database in which the administrator has a table, and nothing else. */
async function setUp() {
  const app = await shared()
  const [admin, eve] = [await app.admin(), await app.user()]
  const [asAdmin, asEve] = [await session(admin), await session(eve)]
  const lab = `lab${++number}`
  const done = async (run: typeof asAdmin, ...texts: string[]) => {
    for (const text of texts) expect([text, (await run(text)).errMsg]).toEqual([text, ''])
  }
  await done(
    asAdmin,
    `CREATE DATABASE ${lab}`,
    `GRANT CREATE TABLE, CREATE VIEW, CREATE FUNCTION ON DATABASE ${lab} TO ${eve.name}`,
  )
  return { app, admin, eve, asAdmin, asEve, lab, done }
}

describe('two names to the engine are two objects to all that decides on them', () => {
  test('who makes a table whose name is the same by Unicode holds nothing on the other one', async () => {
    const { asAdmin, asEve, lab, done, eve } = await setUp()
    for (const [real, decoy] of PAIRS) {
      const [theirs, own] = [`${lab}."${real}"`, `${lab}."${decoy}"`]
      await done(asAdmin, `CREATE TABLE ${theirs} AS SELECT '${MARKER}' AS word`)
      await done(asEve, `CREATE TABLE ${own} AS SELECT 'mine' AS word`)
      expect((await asEve(`SELECT * FROM ${own}`)).result).toEqual([['mine']])
      for (const text of [
        `SELECT * FROM ${theirs}`,
        `INSERT INTO ${theirs} VALUES ('x')`,
        `UPDATE ${theirs} SET word = 'x'`,
        `DELETE FROM ${theirs}`,
        `DROP TABLE ${theirs}`,
      ])
        expect([text, (await asEve(text)).errCode]).toEqual([text, DENIED])
    }
    const theirs = `${lab}."КЛИЕНТЫ"`
    for (const text of [
      `ALTER TABLE ${theirs} RENAME TO stolen`,
      `GRANT SELECT ON ${theirs} TO ${eve.name}`,
      `CREATE OR REPLACE TABLE ${theirs} AS SELECT 1 AS a`,
    ])
      expect([text, (await asEve(text)).errCode]).toEqual([text, DENIED])
    expect((await asEve(`DESCRIBE ${theirs}`)).errCode).not.toBe(OK)
    const shown = await asEve(
      `SELECT table_name FROM information_schema.tables WHERE table_schema = '${lab}' ORDER BY 1`,
    )
    expect(new Set(shown.result?.flat())).toEqual(new Set(PAIRS.map(([, decoy]) => decoy)))
  })

  test('dropping or renaming the decoy leaves the grants of the real one, and the other way round', async () => {
    const { app, asAdmin, asEve, lab, done } = await setUp()
    const reader = await app.user()
    const asReader = await session(reader)
    for (const [at, [real, decoy]] of PAIRS.slice(0, 4).entries()) {
      const [theirs, own] = [`${lab}."${real}"`, `${lab}."${decoy}"`]
      await done(
        asAdmin,
        `CREATE TABLE ${theirs} AS SELECT '${MARKER}' AS word`,
        `GRANT SELECT ON ${theirs} TO ${reader.name}`,
      )
      await done(asEve, `CREATE TABLE ${own} AS SELECT 'mine' AS word`)
      await done(asEve, at % 2 ? `DROP TABLE ${own}` : `ALTER TABLE ${own} RENAME TO moved_${at}`)
      expect([real, (await asReader(`SELECT * FROM ${theirs}`)).result]).toEqual([real, [[MARKER]]])
      // An object that is recreated under the name of the decoy starts without the reader's privileges.
      await done(asAdmin, `CREATE TABLE ${own} AS SELECT '${MARKER}' AS word`)
      expect([decoy, (await asReader(`SELECT * FROM ${own}`)).errCode]).toEqual([decoy, DENIED])
      await done(asAdmin, `DROP TABLE ${theirs}`)
      expect([decoy, (await asReader(`SELECT * FROM ${own}`)).errCode]).toEqual([decoy, DENIED])
    }
  })

  test('a view runs as its own owner, not as the owner of one that looks the same', async () => {
    const { asAdmin, asEve, lab, done } = await setUp()
    await done(asAdmin, `CREATE TABLE ${lab}.secret AS SELECT '${MARKER}' AS word`)
    for (const [real, decoy] of PAIRS.slice(0, 3)) {
      await done(asAdmin, `CREATE VIEW ${lab}."${real}" AS SELECT * FROM ${lab}.secret`)
      await done(asEve, `CREATE VIEW ${lab}."${decoy}" AS SELECT 1 AS a`)
      expect([real, (await asEve(`SELECT * FROM ${lab}."${real}"`)).errCode]).toEqual([real, DENIED])
      const made = await asEve(`CREATE OR REPLACE VIEW ${lab}."${decoy}" AS SELECT * FROM ${lab}.secret`)
      expect([decoy, made.errCode]).toEqual([decoy, DENIED])
      await done(asEve, `DROP VIEW ${lab}."${decoy}"`)
      expect((await asAdmin(`SELECT * FROM ${lab}."${real}"`)).result).toEqual([[MARKER]])
    }
  })

  test('functions, lists and the search tell them apart in the same way', async () => {
    const { admin, eve, asAdmin, asEve, lab, done } = await setUp()
    await done(
      asAdmin,
      `CREATE FUNCTION ${lab}."Ключ"() AS '${MARKER}'`,
      `CREATE TABLE ${lab}."ЗНАК" AS SELECT '${MARKER}' AS word`,
    )
    await done(
      asEve,
      `CREATE FUNCTION ${lab}."ключ"() AS 'mine'`,
      `CREATE TABLE ${lab}."знак" AS SELECT 1 AS a`,
    )
    expect((await asEve(`SELECT ${lab}."Ключ"()`)).errCode).toBe(DENIED)
    expect((await asEve(`SELECT ${lab}."ключ"()`)).result).toEqual([['mine']])
    const listed = await asEve(
      `SELECT table_name FROM information_schema.tables WHERE table_schema = '${lab}'`,
    )
    expect(listed.result).toEqual([['знак']])
    expect((await asEve(`SHOW TABLES FROM ${lab}`)).result).toEqual([['знак']])
    const place = { catalog: 'default_catalog', databaseName: lab }
    expect((await eve.call(schema.tables, place)).data).toMatchObject({ total: 1 })
    expect((await admin.call(schema.tables, place)).data).toMatchObject({ total: 2 })
    expect(JSON.stringify((await eve.call(schema.search, { search: 'знак' })).data)).not.toContain('ЗНАК')
    expect(JSON.stringify((await admin.call(schema.search, { search: 'знак' })).data)).toContain('ЗНАК')
  })

  test('letters of ASCII are the same in either case, as before', async () => {
    const { app, asAdmin, lab, done } = await setUp()
    const reader = await app.user()
    const asReader = await session(reader)
    await done(
      asAdmin,
      `CREATE TABLE ${lab}."Größe_A" AS SELECT 1 AS a`,
      `GRANT SELECT ON ${lab.toUpperCase()}."GRößE_a" TO ${reader.name}`,
    )
    expect((await asReader(`SELECT * FROM ${lab}."größe_a"`)).result).toEqual([['1']])
    await done(asAdmin, `ALTER TABLE ${lab}."GRößE_A" RENAME TO "other_É"`)
    expect((await asReader(`SELECT * FROM ${lab}."OTHER_É"`)).result).toEqual([['1']])
    expect((await asReader(`SELECT * FROM ${lab}."other_é"`)).errCode).not.toBe(OK)
  })

  test('queries that decide by names use an index', async () => {
    const { app } = await setUp()
    const folded = ['catalog_id', 'database', 'name'].map((column) => `lower(${column} collate "C") = 'x'`)
    for (const [table, more] of [
      ['grants', `object_type = 'table'`],
      ['view_owners', 'true'],
      ['materialized_views', 'true'],
    ] as const) {
      const plan = await app.store.db.transaction().execute(async (trx) => {
        await sql`set local enable_seqscan = off`.execute(trx)
        const explained = await sql
          .raw(
            `explain select 1 from ${table} where account_id = 'x' and ${more} and ${folded.join(' and ')}`,
          )
          .execute(trx)
        return JSON.stringify(explained.rows)
      })
      expect(plan).toMatch(/Index Cond:[^"]*lower\(/)
      expect(plan.match(/lower\(/g)?.length).toBeGreaterThanOrEqual(3)
    }
  })
})

/** Each beside a user called as the first. */
const LOOK_ALIKES = [
  ['scope', 'ѕсоре', 'all letters Cyrillic'],
  ['voa', 'νοα', 'all letters Greek'],
  ['ada', 'ａｄａ', 'full width'],
  ['bob', 'ｂｏｂ', 'full width'],
  ['oxo', 'охо', 'Cyrillic'],
  ['gia', 'ɡıɑ', 'Latin letters that are drawn as others'],
] as const

const MIXED = [
  'аdmin',
  'admіn',
  'rοot',
  'pаypal',
  'Αda',
  'ad\u200Bmin',
  'ad\u202Emin',
  'admin\u0301',
  '\uFEFFadmin',
  'admin\u00AD',
  'user٣',
]

describe('names of users', () => {
  test('of letters that look like those of another script beside them are refused, by call and by statement', async () => {
    const { admin, asAdmin } = await setUp()
    for (const user of MIXED) {
      const password = Buffer.from('Lighthouse_1').toString('base64')
      expect([user, (await admin.call(perms.createUser, { user, password })).code]).toEqual([
        user,
        CODES.BadInput.code,
      ])
      const text = `CREATE USER "${user}" IDENTIFIED BY 'Lighthouse_1'`
      expect([user, (await asAdmin(text)).errCode]).not.toEqual([user, OK])
    }
  })

  test('that look the same as one that is there are refused, and say as whose', async () => {
    const { admin, asAdmin, lab } = await setUp()
    const password = Buffer.from('Lighthouse_1').toString('base64')
    for (const [name, alike] of LOOK_ALIKES) {
      const [there, other] = [`${name}-${lab.slice(3)}`, `${alike}-${lab.slice(3)}`]
      expect((await admin.call(perms.createUser, { user: there, password })).code).toBe(OK)
      const refused = await admin.call(perms.createUser, { user: other, password })
      expect([other, refused.code, refused.message]).toEqual([
        other,
        CODES.BadInput.code,
        expect.stringContaining(there),
      ])
      const lenient = await asAdmin(`CREATE USER IF NOT EXISTS "${other}" IDENTIFIED BY 'Lighthouse_1'`)
      expect([other, lenient.errMsg]).toEqual([other, expect.stringContaining('looks the same')])
    }
  })

  test('of one script are taken, whichever it is, and names of roles have ASCII letters alone', async () => {
    const { admin } = await setUp()
    const password = Buffer.from('Lighthouse_1').toString('base64')
    for (const user of ['Жанна', 'Ελένη', 'josé', '山田tarō', '김민수', 'zoë.o-neil@x', 'Łukasz2'])
      expect([user, (await admin.call(perms.createUser, { user, password })).code]).toEqual([user, OK])
    for (const role of ['аdmins', 'Ｃrew', 'crеw'])
      expect((await admin.call(perms.createRole, { role })).code).not.toBe(OK)
  })
})
