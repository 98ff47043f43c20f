import {
  addressCalls,
  CHANNEL_CLOSE,
  CODES,
  encodePassword,
  firewall,
  load,
  loginCalls,
  passwordCalls,
  query,
  sso,
  user,
} from '@boathouse/contract'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import {
  AT_OFFICE,
  callFrom,
  ELSEWHERE,
  from,
  letInOffice,
  startFirewallApp,
} from '../../testing/firewall-kit.ts'
import { MINUTES } from '../../testing/fake-clock.ts'
import { CLIENT, startIssuer } from '../../testing/issuer.ts'
import { whileOtherWrites } from '../../testing/locked-out.ts'
import { mailedToken } from '../../testing/mailed-token.ts'
import { channelUrl } from '../../testing/test-channel.ts'

const BLOCKED = CODES.IpBlocked.code
const OK = CODES.Ok.code

test('with a rule enabled, calls from elsewhere are refused, the answer names the address, and others continue [SEC-15, API-15]', async () => {
  const { app, guard } = await startFirewallApp()
  const reader = await app.user(['db_admin'])
  expect((await reader.call(user.info, {})).code).toBe(OK)
  expect((await letInOffice(app, guard)).code).toBe(OK)
  for (const address of [ELSEWHERE, '127.0.0.1', '198.51.101.7', '2001:db8::7', '::1']) {
    const { code, message, data } = await callFrom({ app, token: reader.token, address }, user.info, {})
    expect([code, data]).toEqual([BLOCKED, null])
    expect(message).toContain(`from ${address}.`)
  }
  for (const address of [AT_OFFICE, `::ffff:${AT_OFFICE}`, '::FFFF:198.51.100.255'])
    expect((await callFrom({ app, token: reader.token, address }, user.info, {})).code).toBe(OK)
})

test('a body too large to be read unseen is refused before it is read', async () => {
  const { app, guard } = await startFirewallApp()
  await letInOffice(app, guard)
  const answer = await app.http.inject({
    method: 'POST',
    url: '/api/user/info',
    headers: { ...from(ELSEWHERE), token: guard.token, 'content-type': 'application/json' },
    payload: 'x'.repeat(1_000_000),
  })
  expect(answer.json()).toMatchObject({ code: BLOCKED })
})

test('rules of another account, and rules that are disabled, shut out nobody [SEC-04]', async () => {
  const { app, guard } = await startFirewallApp()
  const other = await app.stranger(['security_admin'])
  await letInOffice(app, guard)
  expect((await other.call(user.info, {})).code).toBe(OK)
  const address = AT_OFFICE
  const { data } = await callFrom({ app, token: guard.token, address }, firewall.rules, {})
  const ruleId = data.rules[0]?.ruleId ?? ''
  await callFrom({ app, token: guard.token, address }, firewall.updateRule, { ruleId, enabled: false })
  expect((await guard.call(user.info, {})).code).toBe(OK)
})

test('several enabled rules allow addresses of any of them [SEC-15]', async () => {
  const { app, guard } = await startFirewallApp()
  await letInOffice(app, guard)
  const address = AT_OFFICE
  await callFrom({ app, token: guard.token, address }, firewall.createRule, {
    name: 'Home',
    addresses: `10.0.0.1, ${ELSEWHERE}/32`,
    enabled: true,
  })
  for (const allowed of [AT_OFFICE, '10.0.0.1', ELSEWHERE])
    expect((await callFrom({ app, token: guard.token, address: allowed }, user.info, {})).code).toBe(OK)
  expect((await callFrom({ app, token: guard.token, address: '10.0.0.2' }, user.info, {})).code).toBe(BLOCKED)
})

test('at sign-in only a user with the right password learns that their address is blocked, and no login starts [SEC-15]', async () => {
  const { app, guard } = await startFirewallApp()
  await letInOffice(app, guard)
  const signIn = (password: string, address: string) =>
    callFrom({ app, token: '', address }, user.login, {
      accountId: app.accountId,
      username: 'admin',
      password: encodePassword(password),
    })
  expect(await signIn('Wrong_2026', ELSEWHERE)).toMatchObject(
    await signIn('Wrong_2026', AT_OFFICE).then(({ code, message }) => ({ code, message })),
  )
  expect((await signIn(app.password, ELSEWHERE)).code).toBe(BLOCKED)
  const { data, code } = await signIn(app.password, AT_OFFICE)
  expect(code).toBe(OK)
  const logins = await callFrom({ app, token: data.token, address: AT_OFFICE }, loginCalls.listLogins, {})
  expect(logins.data.logins).toHaveLength(1)
})

test('single sign-on from elsewhere ends where the login would begin [SEC-15]', async () => {
  const publicUrl = 'http://boathouse.example'
  const issuer = await startIssuer(() => `${publicUrl}/sso-redirect`)
  const { app, guard } = await startFirewallApp({
    BOATHOUSE_SSO_ENDPOINTS: issuer.url,
    BOATHOUSE_PUBLIC_URL: publicUrl,
  })
  const ada = await app.user()
  await app.store.pool.query('update users set email = $1 where name = $2', ['ada@example.com', ada.name])
  await guard.call(sso.saveSettings, {
    issuer: issuer.url,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    enabled: true,
  })
  await letInOffice(app, guard)
  const finish = async (address: string) => {
    const { data } = await app.call(sso.begin, { accountId: app.accountId })
    const answer = await issuer.visit(data.address)
    const { secret } = data
    return { secret, ...(await callFrom({ app, token: '', address }, sso.finish, { secret, answer })) }
  }
  expect((await finish(ELSEWHERE)).code, 'no link is mailed').toBe(BLOCKED)
  const { code, secret } = await finish(AT_OFFICE)
  expect(code).toBe(OK)
  const token = (await mailedToken(app, 'ada@example.com')) ?? ''
  const confirm = (address: string) => callFrom({ app, token: '', address }, sso.confirm, { token, secret })
  expect((await confirm(ELSEWHERE)).code, 'a link does not let in either').toBe(BLOCKED)
  expect((await confirm(AT_OFFICE)).code).toBe(OK)
  expect((await finish(ELSEWHERE)).code, 'who is connected').toBe(BLOCKED)
  expect((await finish(AT_OFFICE)).data).toHaveProperty('token')
})

test('a mailed link changes no password from elsewhere, and is still good at the office [SEC-15]', async () => {
  const { app, guard } = await startFirewallApp()
  const ada = await app.user()
  const email = 'ada@example.com'
  await app.store.pool.query('update users set email = $1 where name = $2', [email, ada.name])
  await app.call(passwordCalls.requestPasswordReset, { accountId: app.accountId, email })
  const token = (await mailedToken(app, email)) ?? ''
  await letInOffice(app, guard)
  const reset = (address: string) =>
    callFrom({ app, token: '', address }, passwordCalls.resetPassword, {
      token,
      email,
      password: encodePassword('Sculling_7'),
    })
  expect((await reset(ELSEWHERE)).code).toBe(BLOCKED)
  expect((await reset(AT_OFFICE)).code).toBe(OK)
})

test('a mailed link confirms no address from elsewhere, and is still good at the office [SEC-15]', async () => {
  const { app, guard } = await startFirewallApp()
  const ada = await app.user()
  const email = 'ada@example.com'
  const password = encodePassword(app.password)
  await ada.call(addressCalls.requestEmailChange, { email, password })
  const token = (await mailedToken(app, email)) ?? ''
  await letInOffice(app, guard)
  const confirm = (address: string) =>
    callFrom({ app, token: '', address }, addressCalls.confirmEmail, { token })
  expect((await confirm(ELSEWHERE)).code).toBe(BLOCKED)
  expect((await confirm(AT_OFFICE)).code).toBe(OK)
})

test('a channel is not opened from elsewhere, and one that is open ends when a rule is switched on [SEC-15]', async () => {
  const { app, guard } = await startFirewallApp()
  const reader = await app.user(['db_admin'])
  const channel = await reader.channel()
  await channel.run('SELECT 1')
  await letInOffice(app, guard)
  expect((await channel.closed).code).toBe(CHANNEL_CLOSE.IpBlocked)
  const url = channelUrl(await app.url(), { token: reader.token, now: app.clock.now() })
  const refused = await new Promise<number>((resolve) => {
    const socket = new WebSocket(url, { headers: from(ELSEWHERE) })
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
    socket.on('open', () => resolve(101))
    socket.on('error', () => undefined)
  })
  expect(refused).toBe(CODES.IpBlocked.http)
})

test('a channel whose login was looked at a moment before the rule came is not opened [SEC-15]', async () => {
  const { app } = await startFirewallApp()
  const reader = await app.user(['db_admin'])
  const rule = `insert into firewall_rules
    values (gen_random_uuid(), '${app.accountId}', 'Office', 'all', '198.51.100.0/24', true, now())`
  // Its login is looked at before the rule is there, and it would be opened after.
  const locked = 'lock table request_nonces in exclusive mode'
  const opened = whileOtherWrites(app.store.pool, [rule, locked], () => reader.channel())
  await expect(opened).rejects.toThrow('403')
})

test('a login that is used from elsewhere is not kept alive by it', async () => {
  const { app, guard } = await startFirewallApp()
  await letInOffice(app, guard)
  const lastUses = async () => {
    const rows = await app.store.db
      .selectFrom('logins')
      .select('last_used_at')
      .orderBy('token_hash')
      .execute()
    return rows.map((row) => row.last_used_at.getTime())
  }
  const before = await lastUses()
  app.clock.advance(5 * MINUTES)
  await callFrom({ app, token: guard.token, address: ELSEWHERE }, user.info, {})
  expect(await lastUses()).toEqual(before)
  await callFrom({ app, token: guard.token, address: AT_OFFICE }, user.info, {})
  expect(await lastUses()).not.toEqual(before)
})

test('a client that keeps an open channel is refused statement by statement [SEC-15]', async () => {
  const { app, guard } = await startFirewallApp()
  const reader = await app.user(['db_admin'])
  const channel = await reader.channel()
  await channel.run('SELECT 1')
  // Written past the service, as by another server: no event closes the channel.
  await app.store.pool.query(
    `insert into firewall_rules values (gen_random_uuid(), $1, 'Office', 'all', '198.51.100.0/24', true, now())`,
    [app.accountId],
  )
  const [answer] = await channel.run('SELECT 2')
  expect(answer?.errMsg).toContain('127.0.0.1')
  channel.send({ cmd: 1, connIds: [] })
  expect((await channel.closed).code).toBe(CHANNEL_CLOSE.IpBlocked)
  expect((await guard.call(user.info, {})).code).toBe(BLOCKED)
})

test('a file is neither downloaded nor uploaded from elsewhere, and an attempt does not use up the link [SEC-15]', async () => {
  const { app, guard } = await startFirewallApp()
  const admin = await app.admin()
  const [answer] = await (await admin.channel()).run('SELECT 42 AS answer')
  const { data: link } = await admin.call(query.exportResult, {
    queryId: answer?.queryId ?? '',
    format: 'csv',
  })
  const { data: upload } = await admin.call(load.beginUpload, {
    name: 'orders.csv',
    sizeBytes: 3,
    fingerprint: 'then',
  })
  await letInOffice(app, guard)
  const fetched = (address: string, method: 'HEAD' | 'GET' = 'GET') =>
    app.http.inject({ method, url: link.url, headers: from(address) })
  const handed = (address: string) =>
    app.http.inject({
      method: 'PUT',
      url: `${upload.url}/0`,
      payload: 'a,b',
      headers: { ...from(address), 'content-type': 'application/octet-stream' },
    })
  expect((await fetched(ELSEWHERE, 'HEAD')).statusCode).toBe(CODES.IpBlocked.http)
  expect((await fetched(ELSEWHERE)).json()).toMatchObject({ code: BLOCKED })
  expect((await handed(ELSEWHERE)).json()).toMatchObject({ code: BLOCKED })
  expect((await fetched(AT_OFFICE)).body).toMatch(/^answer\r?\n42\r?\n$/)
  expect((await handed(AT_OFFICE)).json()).toMatchObject({ code: OK })
})

test('the operator sees the rules, and lets everybody in again by disabling them', async () => {
  const { app, guard } = await startFirewallApp()
  await letInOffice(app, guard)
  expect((await guard.call(user.info, {})).code).toBe(BLOCKED)
  const account = app.accountId
  expect(await app.operator('firewall list', { account })).toMatchObject([{ name: 'Office', enabled: true }])
  expect(await app.operator('firewall off', { account })).toEqual({ account, disabled: 1 })
  const { data } = await guard.call(firewall.rules, {})
  expect(data.rules).toMatchObject([{ name: 'Office', enabled: false }])
  await expect(app.operator('firewall off', { account: 'ZZZ00000' })).rejects.toThrow('does not exist')
})
