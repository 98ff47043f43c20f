import {
  CODES,
  integration,
  INTEGRATION_MESSAGES,
  LIMITS,
  messageCalls,
  MESSAGE_TYPES,
  vpce,
} from '@boathouse/contract'
import { expect, test } from 'vitest'
import { MINUTES } from '../../testing/fake-clock.ts'
import { sharedApp, startApp, type TestApp, type TestUser } from '../../testing/start-app.ts'

const shared = sharedApp()

const since = async (reader: TestUser, mark: string | null) =>
  (await reader.call(integration.connections, { since: mark })).data

/** A program that comes by the door for data: it signs in, and is refused afterwards, as there is no such table. */
async function comeIn(app: TestApp, who: TestUser, { password = app.password, program = 'loader/1.0' } = {}) {
  const credentials = Buffer.from(`${who.accountId}.${who.name}:${password}`).toString('base64')
  await fetch(`${await app.url()}/api/main/nothing/_stream_load`, {
    method: 'PUT',
    body: '1',
    headers: { authorization: `Basic ${credentials}`, 'user-agent': program },
  })
}

test('a user who waits sees which program came in, as whom, from where and by which door', async () => {
  const app = await shared()
  const user = await app.user()
  await comeIn(app, user)
  const { mark, connections } = await since(user, null)
  expect(connections).toEqual([])
  expect((await since(user, mark)).connections).toEqual([])
  await comeIn(app, user, { program: 'loader/2.0' })
  const seen = await since(user, mark)
  expect(seen).toMatchObject({ isInterrupted: false })
  expect(seen.connections).toEqual([
    {
      at: app.clock.now().toISOString(),
      count: 1,
      isOwn: true,
      user: user.name,
      door: 'ingest',
      outcome: 'signedIn',
      clientIp: '127.0.0.1',
      program: 'loader/2.0',
    },
  ])
  expect((await since(user, seen.mark)).connections).toEqual([])
})

test('a program that comes again within the same minute is noticed again', async () => {
  const app = await shared()
  const user = await app.user()
  await comeIn(app, user)
  const { mark } = await since(user, null)
  await comeIn(app, user)
  expect((await since(user, mark)).connections).toMatchObject([{ program: 'loader/1.0', count: 2 }])
})

test('users see their own connections alone, administrators those of the account, and nobody another account', async () => {
  const app = await shared()
  const [user, colleague, stranger] = [await app.user(), await app.user(), await app.stranger()]
  const admins = [await app.user(['account_admin']), await app.user(['security_admin'])]
  const { mark } = await since(user, null)
  await comeIn(app, user)
  for (const other of [colleague, stranger]) expect((await since(other, mark)).connections).toEqual([])
  for (const admin of admins)
    expect((await since(admin, mark)).connections).toMatchObject([{ user: user.name, isOwn: false }])
})

test('a refused sign-in says why to its user; to others its name is not shown, as it may be a password', async () => {
  const app = await shared()
  const [user, colleague, admin] = [await app.user(), await app.user(), await app.user(['security_admin'])]
  const { mark } = await since(user, null)
  await comeIn(app, user, { password: 'Wrong_1234' })
  expect((await since(user, mark)).connections).toMatchObject([
    { isOwn: true, user: user.name, outcome: 'wrongPassword' },
  ])
  expect((await since(admin, mark)).connections).toMatchObject([
    { isOwn: false, user: null, outcome: 'wrongPassword' },
  ])
  expect((await since(colleague, mark)).connections).toEqual([])
})

test('a mark of a server that was started again is known as such', async () => {
  const app = await shared()
  const user = await app.user()
  expect(await since(user, '0123456789abcdef-7')).toMatchObject({ isInterrupted: true })
  expect(await since(user, 'what is this')).toMatchObject({ isInterrupted: true })
  expect((await user.call(integration.connections, { since: 'x'.repeat(65) })).code).toBe(CODES.BadInput.code)
})

test('nobody learns anything without a login', async () => {
  const app = await shared()
  for (const call of [integration.endpoints, integration.connections, integration.ownRequests])
    expect((await app.call(call, {})).code).toBe(CODES.LoginRequired.code)
  const refused = await app.call(integration.request, { applicationName: 'Looker' })
  expect(refused.code).toBe(CODES.LoginRequired.code)
})

test('without further settings data goes to this server, and no private host is named', async () => {
  const app = await shared()
  const { data } = await (await app.user()).call(integration.endpoints, {})
  const { hostname, port } = new URL(await app.url())
  expect(data).toMatchObject({
    region: 'local-1',
    ingest: { scheme: 'http', host: hostname, port: Number(port) },
    privateIngest: null,
    privateQueryHost: null,
  })
})

test('the ingest host is made from a template with the region, on port 443 [INT-16]', async () => {
  const app = await startApp({
    BOATHOUSE_INGEST_HOST: 'ingest.{region}.example.com',
    BOATHOUSE_PRIVATE_INGEST_HOST: 'ingest-{region}-privatelink.example.com',
    BOATHOUSE_PRIVATE_MYSQL_HOST: 'sql-{region}-privatelink.example.com',
  })
  const user = await app.user()
  const endpoints = async () => (await user.call(integration.endpoints, {})).data
  expect(await endpoints()).toMatchObject({
    ingest: { scheme: 'https', host: 'ingest.local-1.example.com', port: 443 },
    privateIngest: null,
    privateQueryHost: null,
  })
  const guard = await app.user(['security_admin'])
  const draft = { awsAccountId: '123456789012', region: 'local-1' }
  await guard.call(vpce.create, { ...draft, endpointId: 'vpce-11111111', connectionType: 'sql' })
  await guard.call(vpce.create, { ...draft, endpointId: 'vpce-22222222', connectionType: 'streaming' })
  expect(await endpoints()).toMatchObject({ privateIngest: null, privateQueryHost: null })
  await app.operator('private-link approve', { account: app.accountId, endpoint: 'vpce-11111111' })
  expect(await endpoints()).toMatchObject({
    privateIngest: null,
    privateQueryHost: 'sql-local-1-privatelink.example.com',
    query: { privateEndpoints: ['vpce-11111111'] },
  })
  await app.operator('private-link approve', { account: app.accountId, endpoint: 'vpce-22222222' })
  expect(await endpoints()).toMatchObject({
    privateIngest: { scheme: 'https', host: 'ingest-local-1-privatelink.example.com', port: 443 },
  })
})

test('a request needs the name of the application, and has bounded texts [INT-25]', async () => {
  const app = await shared()
  const user = await app.user()
  for (const applicationName of ['', '  '])
    expect(await user.call(integration.request, { applicationName })).toMatchObject({
      code: CODES.BadInput.code,
      message: expect.stringContaining(INTEGRATION_MESSAGES.applicationMissing),
    })
  expect(INTEGRATION_MESSAGES.applicationMissing).toBe('Application name is required.')
  for (const bad of [
    { applicationName: 'x'.repeat(LIMITS.applicationNameLength + 1) },
    { applicationName: 'Looker\r\nBcc: all@example.com' },
    { applicationName: 'Looker', useCase: 'x'.repeat(LIMITS.requestTextLength + 1) },
    { applicationName: 'Looker', link: 'javascript:alert(1)' },
  ])
    expect((await user.call(integration.request, bad)).code).toBe(CODES.BadInput.code)
  expect((await user.call(integration.ownRequests, {})).data.requests).toEqual([])
})

const outbox = async (app: TestApp) =>
  (await app.operator('outbox list', {})) as { mail: string; to: string; kind: string }[]

test('a request reaches the operator, and its answer the user, as a notification and by mail [INT-24]', async () => {
  const app = await startApp({ BOATHOUSE_OPERATOR_EMAIL: 'operator@example.com' })
  const [user, colleague] = [await app.user(), await app.user()]
  await app.operator('user set-email', { account: user.accountId, user: user.name, email: 'ada@example.com' })
  const wanted = { applicationName: 'Looker', useCase: 'Sales reports', link: 'https://example.com/looker' }
  const { requestId } = (await user.call(integration.request, wanted)).data
  expect(await outbox(app)).toContainEqual(
    expect.objectContaining({ to: 'operator@example.com', kind: 'integrationRequest' }),
  )
  expect(await app.operator('requests list', {})).toMatchObject([
    { request: requestId, account: user.accountId, user: user.name, application: 'Looker' },
  ])
  expect(await app.operator('requests show', { request: String(requestId) })).toMatchObject({
    useCase: 'Sales reports',
    answer: null,
  })
  const answer = { request: requestId, text: 'Looker connects as MySQL.' }
  expect(await app.operator('requests answer', answer)).toMatchObject({
    notified: true,
    mailedTo: 'ada@example.com',
  })
  await expect(app.operator('requests answer', answer)).rejects.toThrow('waits for an answer')
  expect(await app.operator('requests list', {})).toEqual([])
  expect(await app.operator('requests list', { answered: true })).toHaveLength(1)
  expect((await user.call(integration.ownRequests, {})).data.requests).toMatchObject([
    { ...wanted, answer: 'Looker connects as MySQL.', answeredAt: app.clock.now().toISOString() },
  ])
  const messages = async (reader: TestUser) =>
    (await reader.call(messageCalls.listMessages, {})).data.messages.map(({ type }) => type)
  expect(await messages(user)).toEqual([MESSAGE_TYPES.IntegrationAnswered])
  expect(await messages(colleague)).toEqual([])
  expect((await colleague.call(integration.ownRequests, {})).data.requests).toEqual([])
  expect((await outbox(app)).filter(({ kind }) => kind === 'integrationAnswer')).toMatchObject([
    { to: 'ada@example.com' },
  ])
})

test('without an address of the operator or the user nobody is mailed, and the request is kept', async () => {
  const app = await startApp()
  const user = await app.user()
  const { requestId } = (await user.call(integration.request, { applicationName: 'Looker' })).data
  expect(await app.operator('requests answer', { request: requestId, text: 'Yes.' })).toMatchObject({
    notified: true,
    mailedTo: null,
  })
  expect(await outbox(app)).toEqual([])
  for (const [bad, said] of [
    [{ request: 999, text: 'x' }, 'There is no request 999'],
    [{ request: 'x', text: 'x' }, 'Give the number of a request'],
    [{ request: requestId }, 'Give the answer with --text'],
  ] as const)
    await expect(app.operator('requests answer', bad)).rejects.toThrow(said)
})

test('a user cannot flood the operator, and neither can an account', async () => {
  const app = await startApp()
  const send = (who: TestUser) => who.call(integration.request, { applicationName: 'Looker' })
  const user = await app.user()
  const codes = []
  for (let sent = 0; sent < 8; sent++) codes.push((await send(user)).code)
  expect(codes.filter((code) => code === CODES.TooManyAttempts.code).length).toBeGreaterThan(0)
  app.clock.advance(10 * MINUTES)
  expect((await send(user)).code).toBe(CODES.Ok.code)
  const others = await Promise.all(Array.from({ length: LIMITS.openRequestsPerAccount }, () => app.user()))
  const answers = await Promise.all(others.map(send))
  expect(answers.filter(({ code }) => code === CODES.LimitReached.code).length).toBeGreaterThan(0)
  const { length } = (await app.operator('requests list', {})) as unknown[]
  expect(length).toBe(LIMITS.openRequestsPerAccount)
})
