import {
  account,
  CODES,
  editor,
  LIMITS,
  log,
  newNonce,
  region,
  sign,
  user,
  warehouse,
} from '@boathouse/contract'
import { expect, test } from 'vitest'
import { MINUTES } from '../../testing/fake-clock.ts'
import { signedCall } from '../../testing/signed-call.ts'
import { startApp } from '../../testing/start-app.ts'

const inject = async (app: Awaited<ReturnType<typeof startApp>>, request: ReturnType<typeof signedCall>) => {
  const answer = await app.http.inject(request)
  return {
    status: answer.statusCode,
    headers: answer.headers,
    ...answer.json<{ code: number; message: string; data: unknown }>(),
  }
}

test('a call answers code, message and data below /api; the regions one by GET from the central host [API-01, API-12, API-14, ACCOUNT-09, ACCOUNT-10, ACCOUNT-39]', async () => {
  const app = await startApp()
  expect(region.list).toMatchObject({ method: 'GET', toCentral: true })
  expect(await app.call(region.list, {})).toEqual({
    code: 20000,
    message: '',
    data: {
      cspList: [
        {
          cspId: 'local',
          locales: {
            'en-us': { name: 'This machine', logo: expect.stringMatching(/^data:image\/svg\+xml,/) },
          },
        },
      ],
      regionList: [{ regionId: 'local-1', cspId: 'local', locales: { 'en-us': { name: 'local-1' } } }],
    },
  })
})

test('a request without its signature, or with a wrong one, is refused [API-10]', async () => {
  const app = await startApp()
  const good = signedCall(account.locate, { accountId: app.accountId }, { token: '', now: app.clock.now() })
  const { signature: _, ...unsigned } = good.headers
  expect(await inject(app, { ...good, headers: unsigned })).toMatchObject({
    status: 400,
    code: CODES.BadSignature.code,
  })
  expect(await inject(app, { ...good, payload: '{"accountId":"AAA00000"}' })).toMatchObject({
    code: CODES.BadSignature.code,
  })
  expect(await inject(app, { ...good, headers: { ...good.headers, nonce: 'x' } })).toMatchObject({
    code: CODES.BadSignature.code,
  })
  expect(await inject(app, good)).toMatchObject({ code: CODES.Ok.code })
})

test.each([-5 * MINUTES - 1, 5 * MINUTES + 1])(
  'a request %i ms off the clock is refused [API-09]',
  async (offMs) => {
    const app = await startApp()
    const now = new Date(app.clock.now().getTime() + offMs)
    expect(await inject(app, signedCall(region.list, {}, { token: '', now }))).toMatchObject({
      code: CODES.StaleRequest.code,
    })
  },
)

test('the same request twice is refused the second time [API-08]', async () => {
  const app = await startApp()
  const { token } = await app.admin()
  const request = signedCall(user.info, {}, { token, now: app.clock.now() })
  expect(await inject(app, request)).toMatchObject({ code: CODES.Ok.code })
  expect(await inject(app, request)).toMatchObject({
    code: CODES.StaleRequest.code,
    message: 'This request was received before. Send a new one.',
  })
})

test('an unknown token asks for a login [API-07]', async () => {
  const app = await startApp()
  for (const token of ['', 'not-a-token'])
    expect(await inject(app, signedCall(user.info, {}, { token, now: app.clock.now() }))).toMatchObject({
      status: 401,
      code: 40001,
      data: null,
    })
})

test.each([
  ['an unknown call', 'POST', '/api/user/fly', CODES.UnknownCall],
  ['an unknown call by GET', 'GET', '/api/nowhere/at-all', CODES.UnknownCall],
  ['a known call by the wrong method', 'DELETE', '/api/user/login', CODES.WrongMethod],
  ['a POST call by GET', 'GET', '/api/user/login', CODES.WrongMethod],
] as const)('%s has its own code [API-03]', async (_, method, url, expected) => {
  const app = await startApp()
  const answer = await app.http.inject({ method, url })
  expect(answer.statusCode).toBe(expected.http)
  expect(answer.json()).toMatchObject({ code: expected.code, data: null })
})

test('a body that is not JSON, or not of the shape, says what is wrong and where', async () => {
  const app = await startApp()
  const now = app.clock.now()
  const parts = { token: '', nonce: newNonce(), timestamp: String(now.getTime()), body: '{"accountId":' }
  const notJson = await app.http.inject({
    method: 'POST',
    url: '/api/account/locate',
    headers: {
      'content-type': 'application/json',
      token: '',
      nonce: parts.nonce,
      timestamp: parts.timestamp,
      signature: sign(parts),
    },
    payload: parts.body,
  })
  expect(notJson.json()).toMatchObject({ code: CODES.BadInput.code, message: 'The body is not JSON.' })
  expect(await app.call(account.locate, { accountId: 'abc' })).toMatchObject({
    code: CODES.BadInput.code,
    message:
      'accountId: Invalid account ID. Enter three capital letters and five digits, for example ABC12345.',
  })
  expect(
    await app.call(user.login, { accountId: app.accountId, username: '', password: 'eA==' }),
  ).toMatchObject({
    code: CODES.BadInput.code,
    message: 'username: Enter the user name',
  })
})

test('a body over the limit is refused with its own code', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const answer = await app.http.inject(
    signedCall(
      editor.createTab,
      { tabName: 'big', sql: 'x'.repeat(LIMITS.bodyBytes + 1) },
      { token: admin.token, now: app.clock.now() },
    ),
  )
  expect(answer.statusCode).toBe(413)
  expect(answer.json()).toMatchObject({ code: CODES.TooLarge.code, data: null })
})

test('every answer carries a request id and the headers of a careful server; calls are never cached', async () => {
  const app = await startApp()
  const answer = await inject(app, signedCall(region.list, {}, { token: '', now: app.clock.now() }))
  expect(answer.headers).toMatchObject({
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'content-security-policy': expect.stringContaining("script-src 'self'"),
  })
})

test('an error that a user saw can be reported, rateLimited by address [API-33]', async () => {
  const app = await startApp()
  const message = 'errUrl=/x accountId=ABC12345 message=boom requestBody={}'
  expect(await app.call(log.report, { message })).toMatchObject({ code: CODES.Ok.code })
  const rows = await app.store.db.selectFrom('client_errors').select('message').execute()
  expect(rows).toEqual([{ message }])
  for (let sent = 1; sent < 60; sent++) await app.call(log.report, { message })
  expect(await app.call(log.report, { message })).toMatchObject({ code: CODES.TooManyAttempts.code })
})

test('the health and metrics pages answer, and the API describes itself', async () => {
  const app = await startApp()
  expect((await app.http.inject('/healthz')).json()).toMatchObject({
    status: 'ok',
    parts: { store: 'external' },
  })
  expect((await app.http.inject('/metrics')).body).toContain('boathouse_http_request_seconds')
  const description = (await app.http.inject('/api/openapi.json')).json<{
    openapi: string
    paths: Record<string, unknown>
  }>()
  expect(description.openapi).toBe('3.1.0')
  expect(Object.keys(description.paths)).toContain(`/api${warehouse.list.path}`)
})

test('a text that the database could not keep is refused in words', async () => {
  const app = await startApp()
  const admin = await app.admin()
  expect(await admin.call(editor.createTab, { tabName: 'zero', sql: 'select \0' })).toMatchObject({
    code: CODES.BadInput.code,
    message: 'The body holds the character U+0000. Remove it.',
  })
})

test.each(['\\u0000', "select '\\u0000'", '\\\\u0000', '\\\\\\u0000 \\'])(
  'a saved query with %s, which is no such character, comes back as it was',
  async (sql) => {
    const app = await startApp()
    const admin = await app.admin()
    const { data } = await admin.call(editor.createTab, { tabName: 'letters', sql })
    expect((await admin.call(editor.tabDetail, { tabId: data.tabId })).data.sql).toBe(sql)
  },
)

test.each(['\0', 'x\0', '\\\0', '\\\\\0'])('in %j the character itself is found', async (sql) => {
  const app = await startApp()
  const admin = await app.admin()
  expect(await admin.call(editor.createTab, { tabName: 'zero', sql })).toMatchObject({
    code: CODES.BadInput.code,
  })
})
