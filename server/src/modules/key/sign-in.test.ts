import { audit, key, perms, SHELL_STATES } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { HOURS, MINUTES } from '../../testing/fake-clock.ts'
import { AT_OFFICE, ELSEWHERE, letInOffice, OFFICE, startFirewallApp } from '../../testing/firewall-kit.ts'
import { codeOf, makeKey } from '../../testing/key-kit.ts'
import { startApp } from '../../testing/start-app.ts'
import { newSecret } from './secret.ts'

const HERE = '192.0.2.7'

async function start() {
  const app = await startApp()
  const ada = await app.user(['db_admin', 'user_admin'])
  const come = (
    secret: string,
    over: { door?: 'http' | 'mysql' | 'ingest' | 'mcp'; address?: string } = {},
  ) => app.keySignIn.signIn({ secret, door: 'http', address: HERE, program: 'rowing 1.2', ...over })
  return { app, ada, come }
}

test('what is no key, a key with another secret and a revoked one are refused alike', async () => {
  const { ada, come } = await start()
  const { key: made, secret } = await makeKey(ada)
  expect(await codeOf(come('bh_nothing'))).toBe('LoginFailed')
  expect(await codeOf(come(newSecret(made.keyId)))).toBe('LoginFailed')
  expect(await codeOf(come(newSecret('00000000')))).toBe('LoginFailed')
  expect(await codeOf(come(secret))).toBe('Ok')
  await ada.call(key.revoke, { keyId: made.keyId })
  expect(await codeOf(come(secret))).toBe('LoginFailed')
})

test('who tries many wrong keys has to wait, and a right one at the same address does not', async () => {
  const { ada, come } = await start()
  const { key: made, secret } = await makeKey(ada)
  let last = ''
  for (let tries = 0; tries < 60 && last !== 'TooManyAttempts'; tries++)
    last = await codeOf(come(newSecret(made.keyId)))
  expect(last).toBe('TooManyAttempts')
  expect(await codeOf(come(secret))).toBe('Ok')
})

test('a key is refused after its expiry, at another door and from another address, in words', async () => {
  const { app, ada, come } = await start()
  const expiresAt = new Date(app.clock.now().getTime() + HOURS).toISOString()
  const { secret } = await makeKey(ada, { doors: ['http'], addresses: '192.0.2.0/24', expiresAt })
  await expect(come(secret, { door: 'mysql' })).rejects.toMatchObject({
    code: 'NoPermission',
    message: 'The API key etl does not allow MySQL connections.',
  })
  await expect(come(secret, { address: ELSEWHERE })).rejects.toMatchObject({
    code: 'IpBlocked',
    message: `The API key etl is not allowed from ${ELSEWHERE}.`,
  })
  const open = await come(secret)
  app.clock.advance(HOURS)
  await expect(come(secret)).rejects.toMatchObject({ code: 'LoginRequired' })
  const version = open.known.identityVersion
  expect(await codeOf(open.now(version)), 'also for who is here, though nothing was changed').toBe(
    'LoginRequired',
  )
})

test('the firewall and the state of the account hold for keys as for everybody', async () => {
  const { app, guard } = await startFirewallApp()
  const { secret } = await makeKey(guard)
  await letInOffice(app, guard)
  const come = (address: string) => codeOf(app.keySignIn.signIn({ secret, door: 'mcp', address }))
  expect(await come(ELSEWHERE)).toBe('IpBlocked')
  expect(await come(AT_OFFICE)).toBe('Ok')
  await app.store.db.updateTable('accounts').set({ shell_state: SHELL_STATES.Frozen }).execute()
  expect(await come(AT_OFFICE)).toBe('AccountFrozen')
  expect(OFFICE).toContain('198.51.100')
})

test('a key has the roles that were chosen for it, and loses one at once with its user', async () => {
  const { app, ada, come } = await start()
  const { secret } = await makeKey(ada, { roles: ['db_admin'] })
  const all = await come((await makeKey(ada, { name: 'all' })).secret)
  const open = await come(secret)
  expect(all.known).toMatchObject({ heldRoles: ['db_admin', 'user_admin'], key: { name: 'all' } })
  expect(open.known).toMatchObject({
    heldRoles: ['db_admin'],
    activeRoles: ['db_admin'],
    key: { name: 'etl', heldByUser: ['db_admin', 'user_admin'] },
  })
  const admin = await app.admin()
  await admin.call(perms.revokeRoleFromUser, { user: ada.name, role: 'db_admin' })
  expect((await open.now()).activeRoles).toEqual([])
  expect((await all.now()).activeRoles).toEqual(['user_admin'])
  await admin.call(perms.deleteUser, { user: ada.name })
  expect(await codeOf(open.now())).toBe('LoginRequired')
  expect(await codeOf(come(secret))).toBe('LoginFailed')
})

test('a rotated key has two secrets until the time that was chosen, and then one', async () => {
  const { app, ada, come } = await start()
  const { key: made, secret } = await makeKey(ada)
  const open = await come(secret)
  const rotated = await ada.call(key.rotate, { keyId: made.keyId, overlapHours: 2 })
  const { secret: newer } = rotated.data
  expect(await codeOf(come(secret))).toBe('Ok')
  expect(await codeOf(come(newer))).toBe('Ok')
  const { identityVersion } = await open.now()
  app.clock.advance(2 * HOURS)
  expect(await codeOf(come(secret))).toBe('LoginFailed')
  expect(await codeOf(open.now(identityVersion))).toBe('LoginRequired')
  expect(await codeOf(come(newer))).toBe('Ok')
  await ada.call(key.rotate, { keyId: made.keyId, overlapHours: 0 })
  expect(await codeOf(come(newer))).toBe('LoginFailed')
})

test('a key is of one user: with the name of another, or of another account, it is refused', async () => {
  const { app, ada } = await start()
  const { secret } = await makeKey(ada)
  const come = (name: string) =>
    codeOf(app.plainSignIn.signIn({ door: 'ingest', clientIp: HERE }, { name, password: secret }))
  const stranger = await app.stranger()
  expect(await come(`${app.accountId}.${(await app.user()).name}`)).toBe('LoginFailed')
  expect(await come(`${stranger.accountId}.${ada.name}`)).toBe('LoginFailed')
  expect(await come(`${app.accountId}.${ada.name.toUpperCase()}`)).toBe('Ok')
})

test('the last use is written once a minute, and the log of sign-ins and the audit log name the key', async () => {
  const { app, ada, come } = await start()
  const { secret } = await makeKey(ada)
  await come(secret)
  await come(secret, { address: '192.0.2.8' })
  const lastUse = async () => (await ada.call(key.list, {})).data.keys[0]?.lastUse
  const at = app.clock.now().toISOString()
  expect(await lastUse()).toEqual({ at, clientIp: HERE, door: 'http', program: 'rowing 1.2' })
  app.clock.advance(MINUTES)
  await come(secret, { address: '192.0.2.8', door: 'mysql' })
  expect(await lastUse()).toMatchObject({ clientIp: '192.0.2.8', door: 'mysql' })
  const guard = await app.user(['security_admin'])
  const { signIns } = (await guard.call(audit.signIns, { user: ada.name, outcome: 'signedIn' })).data
  expect(signIns.filter((one) => one.key === 'etl').map(({ method, door }) => [method, door])).toEqual([
    ['key', 'mysql'],
    ['key', 'http'],
    ['key', 'http'],
  ])
  app.clock.advance(5 * MINUTES)
  await app.signIns.writeAudit()
  const entries = await app.store.db.selectFrom('audit_entries').select('entry').execute()
  expect(entries.some(({ entry }) => entry.includes('"key":"etl"') && entry.includes('login.begin'))).toBe(
    true,
  )
})
