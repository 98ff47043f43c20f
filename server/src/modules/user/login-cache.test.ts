import { CODES } from '@boathouse/contract'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { startApp, type TestApp, type TestUser } from '../../testing/start-app.ts'
import { createLoginCache, type LoginCacheParts } from './login-cache.ts'
import { createUserStore } from './store.ts'

const idOf = (app: TestApp, user: TestUser) =>
  app.store.db.selectFrom('users').select('user_id').where('name', '=', user.name)

const setRole = (app: TestApp, user: TestUser, role: string, active: boolean) =>
  app.store.db
    .updateTable('user_roles')
    .set({ active })
    .where('user_id', 'in', idOf(app, user))
    .where('role', '=', role)
    .execute()

test('every statement is judged by the roles of its moment', async () => {
  const app = await startApp()
  const reader = await app.user(['db_admin'])
  const channel = await reader.channel()
  const [first] = await channel.run('SELECT 1')
  const connId = first?.connId ?? 0
  await channel.run('CREATE TABLE t (a INT)', { connId })
  const codeNow = async () => (await channel.run('SELECT * FROM t', { connId }))[0]?.errCode
  expect(await codeNow()).toBe(CODES.Ok.code)
  await setRole(app, reader, 'db_admin', false)
  expect(await codeNow()).toBe(CODES.NoPermission.code)
  await setRole(app, reader, 'db_admin', true)
  expect(await codeNow()).toBe(CODES.Ok.code)
  await app.store.db.deleteFrom('logins').where('user_id', 'in', idOf(app, reader)).execute()
  expect(await codeNow()).toBe(CODES.LoginRequired.code)
})

test('the database is queried for a login only when it says that something has changed', async () => {
  const app = await startApp()
  const reader = await app.user(['db_admin'])
  const { db } = app.store
  const store = createUserStore(db)
  const findByLogin = vi.fn<typeof store.findByLogin>(store.findByLogin)
  const onChanged = vi.fn<LoginCacheParts['onChanged']>()
  const logins = createLoginCache({ store: { ...store, findByLogin }, onChanged })
  const { token_hash: tokenHash } = await db
    .selectFrom('logins')
    .select('token_hash')
    .where('user_id', 'in', idOf(app, reader))
    .executeTakeFirstOrThrow()

  const version = (await logins.find(tokenHash))?.identity_version ?? 0
  expect(version).toBeGreaterThan(0)
  expect(await logins.find(tokenHash, version)).toMatchObject({ active_roles: ['db_admin'] })
  expect(findByLogin).toHaveBeenCalledTimes(1)

  await setRole(app, reader, 'db_admin', false)
  expect(await logins.find(tokenHash, version + 1)).toMatchObject({ active_roles: [] })
  expect(await logins.find(tokenHash)).toMatchObject({ active_roles: [] })
  expect(findByLogin).toHaveBeenCalledTimes(3)
  expect(onChanged).toHaveBeenCalledTimes(1)
})

test.each([
  ['an organisation', sql`update organisations set identity = identity`, 1],
  ['an account', sql`update accounts set shell_state = shell_state`, 1],
  ['a user', sql`update users set email = email`, 1],
  [
    'a role that is given',
    sql`insert into user_roles (user_id, role, active, granted_at) select user_id, 'rowing', true, now() from users`,
    1,
  ],
  ['a role that is taken', sql`delete from user_roles`, 1],
  ['the end of a login', sql`delete from logins`, 1],
  ['the use of a login', sql`update logins set last_used_at = now()`, 0],
])('%s changes the version as it should', async (_, change, raised) => {
  const app = await startApp()
  await app.admin()
  const { db } = app.store
  const version = async () =>
    (await db.selectFrom('identity_versions').select('version').executeTakeFirstOrThrow()).version
  const before = await version()
  await change.execute(db)
  expect(await version()).toBe(before + raised)
})

test('open consoles are notified of other permissions and of another state of the account [CHANNEL-32]', async () => {
  const app = await startApp()
  const reader = await app.user(['db_admin', 'cluster_admin'])
  const [channel, other] = [await reader.channel(), await (await app.admin()).channel()]
  const heard = async (type: string, by = channel) => {
    by.send({ cmd: 1, connIds: [] })
    return by.hear((message) => (message.cmd === 3 && message.type === type ? message.seq : undefined))
  }
  await channel.run('SELECT 1')
  await setRole(app, reader, 'cluster_admin', false)
  expect(await heard('GlobalEventTypePermissionChanged')).toBeGreaterThan(0)
  await app.store.db.updateTable('accounts').set({ shell_state: 0 }).execute()
  const seq = await heard('GlobalEventTypeAccountStateChanged')
  expect(await heard('GlobalEventTypeAccountStateChanged', other), 'each by its own').toBeGreaterThan(seq)
  const types = other.heard.flatMap((message) => (message.cmd === 3 ? [message.type] : []))
  expect(
    types.filter((type) => type !== 'GlobalEventTypeWarehouseChanged'),
    'nothing of what others found',
  ).toEqual(['GlobalEventTypeAccountStateChanged'])
})
