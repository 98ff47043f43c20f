import { CODES, perms } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp, type TestUser } from '../../testing/start-app.ts'

const DENIED = CODES.NoPermission.code
const OK = CODES.Ok.code

async function session(who: TestUser) {
  const channel = await who.channel()
  let connId = 0
  return async (sql: string) => {
    const last = (await channel.run(sql, { connId, oriConnId: connId })).at(-1)
    if (!last) throw new Error('no answer')
    connId = last.connId
    return last
  }
}

/** Ada makes views of boats, and grace reads them. */
async function setUp() {
  const app = await startApp({}, { engine: 'embedded' })
  const [admin, ada, grace] = [await app.admin(), await app.user(), await app.user()]
  const [asAdmin, asAda, asGrace] = [await session(admin), await session(ada), await session(grace)]
  const done = async (run: typeof asAdmin, ...texts: string[]) => {
    for (const sql of texts) expect([sql, (await run(sql)).errMsg]).toEqual([sql, ''])
  }
  await done(
    asAdmin,
    'CREATE TABLE boats AS SELECT 1 AS a',
    `GRANT SELECT ON boats TO ${ada.name}`,
    `GRANT CREATE VIEW ON DATABASE main TO ${ada.name}`,
  )
  await done(
    asAda,
    'CREATE VIEW fleet AS SELECT * FROM boats',
    'CREATE VIEW armada AS SELECT * FROM fleet',
    `GRANT SELECT ON VIEW fleet TO ${grace.name}`,
    `GRANT SELECT ON VIEW armada TO ${grace.name}`,
  )
  const read = async (view: string) => (await asGrace(`SELECT * FROM ${view}`)).errCode
  return { app, admin, ada, grace, asAdmin, asAda, asGrace, done, read }
}

test('a view is read as long as its owner may read what it reads, also through another view', async () => {
  const { ada, asAdmin, asGrace, done, read } = await setUp()
  expect([await read('fleet'), await read('armada')]).toEqual([OK, OK])
  await done(asAdmin, `REVOKE SELECT ON boats FROM ${ada.name}`)
  const refused = await asGrace('SELECT * FROM armada')
  expect(refused).toMatchObject({
    errCode: DENIED,
    errMsg: expect.stringContaining('VIEW default_catalog.main.fleet cannot be read: its owner may not'),
  })
  expect(refused.errMsg, 'what it reads is not shown').not.toContain('boats')
  await done(asAdmin, `GRANT SELECT ON boats TO ${ada.name}`)
  expect(await read('armada')).toBe(OK)
})

test('roles that the owner has switched off count, those that were taken from them do not', async () => {
  const { admin, ada, asAdmin, done, read } = await setUp()
  await done(
    asAdmin,
    'CREATE ROLE readers',
    'GRANT SELECT ON boats TO ROLE readers',
    `GRANT readers TO ${ada.name}`,
    `REVOKE SELECT ON boats FROM ${ada.name}`,
  )
  await ada.call(perms.setRoles, { roles: [] })
  expect(await read('fleet')).toBe(OK)
  await admin.call(perms.revokeRoleFromUser, { role: 'readers', user: ada.name })
  expect(await read('fleet')).toBe(DENIED)
})

test('a view whose owner was removed has no owner until an administrator recreates it', async () => {
  const { admin, ada, grace, asAdmin, asGrace, done, read } = await setUp()
  await admin.call(perms.deleteUser, { user: ada.name })
  expect((await asGrace('SELECT * FROM fleet')).errMsg).toContain('its owner was removed')
  expect((await asAdmin('SELECT * FROM fleet')).errCode, 'administrators are not asked').toBe(OK)
  await done(
    asAdmin,
    'CREATE OR REPLACE VIEW fleet AS SELECT * FROM boats',
    `GRANT SELECT ON VIEW fleet TO ${grace.name}`,
  )
  expect(await read('fleet')).toBe(OK)
})

test('whose a view is follows its new name and ends with it', async () => {
  const { ada, app, asAdmin, asAda, grace, done, read } = await setUp()
  await done(asAda, 'DROP VIEW armada', 'ALTER VIEW fleet RENAME TO flotilla')
  const owned = async () => (await app.store.pool.query('select name from view_owners')).rows
  expect(await owned()).toEqual([{ name: 'flotilla' }])
  await done(asAdmin, `REVOKE SELECT ON boats FROM ${ada.name}`)
  expect(await read('flotilla')).toBe(DENIED)
  await done(
    asAdmin,
    'CREATE DATABASE docks',
    'CREATE VIEW docks.piers AS SELECT 1 AS a',
    `GRANT SELECT ON VIEW docks.piers TO ${grace.name}`,
  )
  expect(await read('docks.piers')).toBe(OK)
  await done(asAdmin, 'DROP DATABASE docks CASCADE', 'DROP VIEW flotilla')
  expect(await owned()).toEqual([])
})
