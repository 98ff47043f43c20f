import { CODES } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp, type TestUser } from '../../testing/start-app.ts'

async function session(who: TestUser) {
  const channel = await who.channel()
  const connId = (await channel.run('SELECT 1'))[0]?.connId ?? 0
  return async (sql: string) => {
    const answer = (await channel.run(sql, { connId })).at(-1)
    if (!answer) throw new Error('no answer')
    return answer
  }
}

const setUp = async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const grace = await app.user()
  return { app, grace, asAdmin: await session(admin), asGrace: await session(grace) }
}

test('sys.queries is the history, of which everyone sees their own and an account administrator all', async () => {
  const { asAdmin, asGrace, grace } = await setUp()
  await asGrace("SELECT 'hers'")
  const users = 'SELECT DISTINCT user_name FROM sys.queries ORDER BY 1'
  expect((await asGrace(users)).result).toEqual([[grace.name]])
  expect((await asAdmin(users)).result.flat()).toContain(grace.name)
  expect(
    (await asGrace("SELECT sql_text, state, kind FROM sys.queries WHERE sql_text LIKE '%''hers_'")).result[0],
  ).toEqual(["SELECT 'hers'", 'finished', 'select'])
})

test('warehouses, usage and grants are those that one may see', async () => {
  const { asAdmin, asGrace, grace } = await setUp()
  await asAdmin('CREATE TABLE boats (a INT)')
  await asAdmin('CREATE ROLE rowers')
  await asAdmin('GRANT SELECT ON boats TO ROLE rowers')
  await asAdmin(`GRANT INSERT, SELECT ON boats TO ${grace.name}`)
  expect((await asGrace('SELECT name FROM sys.warehouses')).result).toEqual([['default_warehouse']])
  expect((await asGrace('SELECT count(*) FROM sys.usage')).result).toEqual([['0']])
  expect((await asAdmin('SELECT count(*) > 0 FROM sys.usage')).result).toEqual([['true']])
  const done = 'SELECT DISTINCT action FROM sys.warehouse_activity'
  expect((await asGrace(done)).result).toEqual([])
  expect((await asAdmin(done)).result).toContainEqual(['Auto-resume'])
  const grants = 'SELECT grantee, name, privilege FROM sys.grants WHERE name IS NOT NULL ORDER BY ALL'
  expect((await asGrace(grants)).result).toEqual([
    [grace.name, 'boats', 'INSERT'],
    [grace.name, 'boats', 'SELECT'],
  ])
  expect((await asAdmin(grants)).result).toContainEqual(['rowers', 'boats', 'SELECT'])
})

test('sys.audit is for security administrators', async () => {
  const { app, asAdmin, asGrace } = await setUp()
  await asAdmin('CREATE ROLE rowers')
  expect(
    (await asAdmin("SELECT object_name FROM sys.audit WHERE action LIKE 'role%'")).result.flat(),
  ).toContain('rowers')
  expect(await asGrace('SELECT * FROM sys.audit')).toMatchObject({
    errCode: CODES.NoPermission.code,
    errMsg: expect.stringContaining('security_admin'),
  })
  const guard = await session(await app.user(['security_admin']))
  expect((await guard('SELECT count(*) > 0 FROM sys.audit')).result).toEqual([['true']])
})

test('its rows are as of the statement: joined, but neither kept nor read in another way', async () => {
  const { asAdmin, asGrace } = await setUp()
  const joined = await asAdmin(
    'SELECT count(*) > 0 FROM "SYS"."Queries" q JOIN sys.warehouses w ON q.warehouse = w.name',
  )
  expect(joined).toMatchObject({ result: [['true']], resultKept: false })
  const viewed = await asAdmin('CREATE VIEW everything AS SELECT * FROM sys.queries')
  expect(viewed.errMsg).toContain('would have another meaning for others')
  for (const sql of ['SELECT * FROM queries', 'SELECT * FROM audit'])
    expect([sql, (await asGrace(sql)).errMsg]).toEqual([sql, expect.stringContaining('with its full name')])
  expect((await asGrace('DELETE FROM sys.queries')).errMsg).not.toBe('')
  expect((await asGrace('CREATE TABLE sys.mine (a INT)')).errMsg).not.toBe('')
  await asAdmin('CREATE TABLE queries AS SELECT 42 AS own')
  expect((await asAdmin('SELECT own FROM queries')).result).toEqual([['42']])
})
