import {
  account,
  audit,
  CHANNEL_CLOSE,
  CODES,
  encodePassword,
  firewall,
  integration,
  key,
  query,
  user as userCalls,
  vpce,
} from '@boathouse/contract'
import { expect, test } from 'vitest'
import { letInOffice, startFirewallApp } from '../../testing/firewall-kit.ts'
import { makeKey } from '../../testing/key-kit.ts'
import { filesOf, rowsIn } from '../../testing/load-kit.ts'
import { mysqlClient, refusalOf } from '../../testing/mysql-kit.ts'
import {
  approvedEndpoint,
  endpointId,
  OF_FIRST,
  OF_NOBODY,
  OF_SECOND,
  privateCall,
  privateMysql,
  privateRequest,
  requestEndpoint,
  WITH_PRIVATE_LINK,
} from '../../testing/private-kit.ts'
import { startApp, type TestApp } from '../../testing/start-app.ts'
import { basic } from '../../testing/stream-kit.ts'
import { channelUrl, TestChannel } from '../../testing/test-channel.ts'

const INFO = { call: userCalls.info, input: {} } as const
const ER_HOST_NOT_PRIVILEGED = 1130

async function start(settings: Record<string, string> = {}) {
  const app = await startApp({ ...WITH_PRIVATE_LINK, ...settings })
  return { app, admin: await app.admin() }
}

/** Whether a connection from there gets an answer at all, over HTTP and MySQL. */
async function answers(app: TestApp, from: string) {
  const http = await privateRequest(app, { from, path: '/healthz' })
  const mysql = await privateMysql(app, { from }).then(
    (client) => (client.destroy(), true),
    () => false,
  )
  return { http: http?.status ?? null, mysql }
}

const NOTHING = { http: null, mysql: false }

test('an endpoint that was not requested, waits, was rejected or deleted lets nobody in [REAL-04]', async () => {
  const { app, admin } = await start()
  const of = { account: app.accountId, endpoint: endpointId(1) }
  expect(await answers(app, OF_FIRST)).toEqual(NOTHING)
  await requestEndpoint(admin, { n: 1 })
  expect(await answers(app, OF_FIRST)).toEqual(NOTHING)
  await app.operator('private-link approve', { ...of, addresses: OF_FIRST })
  expect(await answers(app, OF_FIRST)).toEqual({ http: 200, mysql: true })
  expect(await answers(app, OF_NOBODY)).toEqual(NOTHING)
  await app.operator('private-link reject', { ...of, reason: 'no longer' })
  expect(await answers(app, OF_FIRST)).toEqual(NOTHING)
  await app.operator('private-link approve', { ...of, addresses: OF_FIRST })
  expect(await answers(app, OF_FIRST)).toEqual({ http: 200, mysql: true })
  await admin.call(vpce.delete, { endpointId: of.endpoint })
  expect(await answers(app, OF_FIRST)).toEqual(NOTHING)
})

test('nobody signs in to another account through an endpoint, by no door and with no proof [REAL-04]', async () => {
  const { app, admin } = await start()
  const other = await app.otherAccount()
  const stranger = await other.admin()
  await approvedEndpoint(app, admin, { n: 1, addresses: OF_FIRST })
  await approvedEndpoint(app, admin, { n: 3, type: 'streaming', addresses: OF_FIRST })
  await approvedEndpoint(app, stranger, { n: 2, addresses: OF_SECOND })
  const through = { from: OF_FIRST }

  const signIn = (accountId: string, username: string) =>
    privateCall(app, through, {
      call: userCalls.login,
      input: { accountId, username, password: encodePassword(app.password) },
    })
  expect(await signIn(other.accountId, stranger.name)).toMatchObject({ code: CODES.IpBlocked.code })
  expect(await signIn(app.accountId, 'admin')).toMatchObject({ code: CODES.Ok.code })

  // A login of the other account, made over the public address.
  expect(await privateCall(app, { ...through, token: stranger.token }, INFO)).toMatchObject({
    code: CODES.IpBlocked.code,
  })
  expect(await privateCall(app, { ...through, token: admin.token }, INFO)).toMatchObject({
    code: CODES.Ok.code,
  })
  const { secret } = await makeKey(stranger)
  const byKey = await privateRequest(app, {
    ...through,
    method: 'POST',
    path: '/api/user/info',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(byKey?.text).toContain('does not lead to this account')

  const address = app.privateHttp?.address
  const channelOf = (token: string) =>
    TestChannel.open(
      channelUrl(`http://${address?.host}:${address?.port}`, { token, now: app.clock.now() }),
      {},
      OF_FIRST,
    )
  await expect(channelOf(stranger.token)).rejects.toThrow('403')
  await (await channelOf(admin.token)).run('select 1')

  expect(
    await refusalOf(privateMysql(app, { ...through, account: other.accountId, user: stranger.name })),
  ).toMatchObject({ errno: expect.any(Number) })
  await privateMysql(app, through)

  const load = await privateRequest(app, {
    ...through,
    method: 'PUT',
    path: '/api/main/t/_stream_load',
    headers: {
      authorization: `Basic ${Buffer.from(`${other.accountId}.${stranger.name}:${app.password}`).toString('base64')}`,
    },
    body: '1',
  })
  expect(load?.text).toContain('does not lead to this account')
})

test('what a private client writes about itself says nothing, and a public client is of no endpoint', async () => {
  const { app, admin } = await start({ BOATHOUSE_TRUST_PROXY: '1' })
  await approvedEndpoint(app, admin, { n: 1, addresses: OF_FIRST })
  expect(
    await privateRequest(app, {
      from: OF_NOBODY,
      path: '/healthz',
      headers: { 'x-forwarded-for': OF_FIRST },
    }),
  ).toBeNull()
  const rules = await app.http.inject({
    method: 'GET',
    url: '/healthz',
    headers: { 'x-forwarded-for': `${OF_FIRST}@${endpointId(1)}` },
  })
  expect(rules.statusCode).toBe(200)
  await admin.call(query.history, {})
  const { signIns } = (await admin.call(audit.signIns, {})).data
  expect(signIns.map(({ privateEndpoint }) => privateEndpoint)).toEqual([null])
})

test('an endpoint for SQL takes no data, one for streaming nothing else, and none shows figures of the service', async () => {
  const { app, admin } = await start()
  await approvedEndpoint(app, admin, { n: 1, addresses: OF_FIRST })
  await approvedEndpoint(app, admin, { n: 2, type: 'streaming', addresses: OF_SECOND })
  const status = async (from: string, path: string, method = 'GET') =>
    (await privateRequest(app, { from, path, method, headers: { authorization: basic(app) }, body: '' }))
      ?.status
  const LOAD = '/api/main/t/_stream_load'
  expect(await status(OF_FIRST, LOAD, 'PUT')).toBe(CODES.IpBlocked.http)
  expect(await status(OF_FIRST, '/api/main/t/%5Fstream_load', 'PUT')).toBe(CODES.IpBlocked.http)
  expect(await status(OF_FIRST, '/api/transaction/begin', 'POST')).toBe(CODES.IpBlocked.http)
  expect(await status(OF_SECOND, LOAD, 'PUT')).toBe(200)
  for (const path of ['/healthz', '/api/openapi.json', '/mcp'])
    expect([path, await status(OF_SECOND, path)]).toEqual([path, CODES.IpBlocked.http])
  expect(await refusalOf(privateMysql(app, { from: OF_SECOND }))).not.toBeNull()
  for (const path of ['/metrics', '/%6detrics', '/metrics?x'])
    expect([path, await status(OF_FIRST, path)]).toEqual([path, CODES.UnknownCall.http])
})

test('history, sign-ins, keys and the firewall show what came by a private link [REAL-04]', async () => {
  const { app, admin } = await start()
  const endpoint = await approvedEndpoint(app, admin, { n: 1, addresses: OF_FIRST })
  const client = await privateMysql(app, { from: OF_FIRST })
  await client.query("select 'by private link'")
  const [[who]] = (await client.query('select user()')) as unknown as [[Record<string, string>]]
  expect(Object.values(who ?? {})).toEqual([`admin@${OF_FIRST}`])
  await (await mysqlClient(app)).query("select 'in public'")
  const { entries } = (await admin.call(query.history, { door: 'mysql' })).data
  const listed = entries.map(({ sql, clientIp, privateEndpoint }) => [sql, clientIp, privateEndpoint])
  expect(listed).toContainEqual(["select 'by private link'", OF_FIRST, endpoint])
  expect(listed).toContainEqual(["select 'in public'", '127.0.0.1', ''])
  const { signIns } = (await admin.call(audit.signIns, {})).data
  expect(signIns.filter(({ door }) => door === 'mysql')).toMatchObject([
    { clientIp: '127.0.0.1', privateEndpoint: null },
    { clientIp: OF_FIRST, privateEndpoint: endpoint },
  ])

  const login = await privateCall(
    app,
    { from: OF_FIRST },
    {
      call: userCalls.login,
      input: { accountId: app.accountId, username: 'admin', password: encodePassword(app.password) },
    },
  )
  const token = login?.data.token ?? ''
  const own = await privateCall(app, { from: OF_FIRST, token }, { call: firewall.rules, input: {} })
  expect(own?.data).toMatchObject({ clientIp: OF_FIRST, privateEndpoint: endpoint })
  expect((await admin.call(firewall.rules, {})).data.privateEndpoint).toBeNull()

  const { secret } = await makeKey(admin, { addresses: `${OF_FIRST}/32` })
  const byKey = (from: string) =>
    privateRequest(app, {
      from,
      method: 'POST',
      path: '/api/user/info',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: '{}',
    })
  expect((await byKey(OF_FIRST))?.status).toBe(200)
  expect((await admin.call(key.list, {})).data.keys[0]?.lastUse).toMatchObject({ clientIp: OF_FIRST })
})

test('the rules of the firewall are for the public address: a private link is open by its approval alone', async () => {
  const { app, guard } = await startFirewallApp(WITH_PRIVATE_LINK)
  await approvedEndpoint(app, guard, { n: 1, addresses: OF_FIRST })
  const client = await privateMysql(app, { from: OF_FIRST })
  await letInOffice(app, guard)
  await client.query('select 1')
  expect(await refusalOf(mysqlClient(app))).toMatchObject({ errno: ER_HOST_NOT_PRIVILEGED })
  // Who came by a private link is not locked out by a rule, which needs no trial.
  const login = await privateCall(
    app,
    { from: OF_FIRST },
    {
      call: userCalls.login,
      input: { accountId: app.accountId, username: guard.name, password: encodePassword(app.password) },
    },
  )
  const made = await privateCall(
    app,
    { from: OF_FIRST, token: login?.data.token ?? '' },
    {
      call: firewall.createRule,
      input: { name: 'More', addresses: '203.0.113.0/24', enabled: true },
    },
  )
  expect(made?.data).toMatchObject({ trial: null })
})

test('what is connected when an endpoint is deleted or rejected is cut off within seconds [REAL-04]', async () => {
  const { app, admin } = await start()
  const endpoint = await approvedEndpoint(app, admin, { n: 1, addresses: OF_FIRST })
  const client = await privateMysql(app, { from: OF_FIRST })
  const ended = new Promise((resolve) => client.on('error', resolve))
  const { host, port } = app.privateHttp?.address ?? {}
  const channel = await TestChannel.open(
    channelUrl(`http://${host}:${port}`, { token: admin.token, now: app.clock.now() }),
    {},
    OF_FIRST,
  )
  const outside = await mysqlClient(app)
  await admin.call(vpce.delete, { endpointId: endpoint })
  await ended
  expect((await channel.closed).code).toBeOneOf([CHANNEL_CLOSE.IpBlocked, 1006])
  await outside.query('select 1')

  await approvedEndpoint(app, admin, { n: 1, addresses: OF_FIRST })
  const again = await privateMysql(app, { from: OF_FIRST })
  const endedAgain = new Promise((resolve) => again.on('error', resolve))
  await app.operator('private-link reject', { account: app.accountId, endpoint, reason: 'no longer' })
  await endedAgain
})

test('a load under way is cut off with its endpoint, and leaves nothing', async () => {
  const app = await startApp(WITH_PRIVATE_LINK, { engine: 'embedded' })
  const admin = await app.admin()
  await rowsIn(admin, 'CREATE TABLE main.t (id BIGINT)')
  const endpoint = await approvedEndpoint(app, admin, { n: 1, type: 'streaming', addresses: OF_FIRST })
  const answer = privateRequest(app, {
    from: OF_FIRST,
    method: 'PUT',
    path: '/api/main/t/_stream_load',
    // More than it ever sends.
    headers: { authorization: basic(app), 'content-length': '1000000' },
    body: '1\n'.repeat(200_000),
  })
  await expect.poll(() => filesOf(app)).toHaveLength(1)
  await admin.call(vpce.delete, { endpointId: endpoint })
  expect(await answer).toBeNull()
  await expect.poll(() => filesOf(app)).toEqual([])
  expect(await rowsIn(admin, 'SELECT id FROM main.t')).toEqual([])
})

test('the operator says from where clients come; no address leads to two accounts', async () => {
  const { app, admin } = await start()
  const other = await (await app.otherAccount()).admin()
  await requestEndpoint(admin, { n: 1 })
  const of = { account: app.accountId, endpoint: endpointId(1) }
  for (const addresses of [undefined, '', 'everywhere', '10.0.0.0/33', '10.0.0.1 10.0.0.2'])
    await expect(app.operator('private-link approve', { ...of, addresses })).rejects.toMatchObject({
      code: 'BadInput',
    })
  await app.operator('private-link approve', { ...of, addresses: '10.20.0.0/16, 10.30.0.7' })
  await requestEndpoint(other, { n: 2 })
  const theirs = { account: other.accountId, endpoint: endpointId(2) }
  for (const addresses of ['10.20.4.0/24', '10.0.0.0/8', '192.0.2.1,10.30.0.7'])
    await expect(app.operator('private-link approve', { ...theirs, addresses })).rejects.toThrow(
      `already lead to the account ${app.accountId}`,
    )
  await app.operator('private-link approve', { ...theirs, addresses: '10.21.0.0/16' })
  // Others than before, without a rejection in between.
  await app.operator('private-link approve', { ...of, addresses: '10.22.0.0/16' })
  expect((await admin.call(vpce.list, {})).data.endpoints).toMatchObject([
    { status: 'available', addresses: '10.22.0.0/16' },
  ])
})

test('the home page and the guides name the private host and port once an endpoint is approved [REAL-04]', async () => {
  const { app, admin } = await start()
  const shown = async () => ({
    home: (await admin.call(account.details, {})).data.queryEndpoint.privateAddress,
    guide: (await admin.call(integration.endpoints, {})).data,
  })
  await expect.poll(() => app.mysql?.privateAddress).toBeTruthy()
  expect(await shown()).toMatchObject({
    home: null,
    guide: { privateQueryHost: null, privateQueryPort: null, privateIngest: null },
  })
  await approvedEndpoint(app, admin, { n: 1, addresses: OF_FIRST })
  await approvedEndpoint(app, admin, { n: 2, type: 'streaming', addresses: OF_FIRST })
  const mysql = app.mysql?.privateAddress
  expect(mysql?.port).not.toBe(app.mysql?.endpoint.port)
  expect(await shown()).toMatchObject({
    home: mysql,
    guide: {
      privateQueryHost: mysql?.host,
      privateQueryPort: mysql?.port,
      privateIngest: { scheme: 'http', ...app.privateHttp?.address },
    },
  })
})

test('an endpoint that goes with its account lets nobody in', async () => {
  const { app, admin } = await start()
  await approvedEndpoint(app, admin, { n: 1, addresses: OF_FIRST })
  const client = await privateMysql(app, { from: OF_FIRST })
  const ended = new Promise((resolve) => client.on('error', resolve))
  await app.store.db.deleteFrom('vpc_endpoints').execute()
  await app.approvedEndpoints.reload()
  await ended
  expect(await answers(app, OF_FIRST)).toEqual(NOTHING)
})
