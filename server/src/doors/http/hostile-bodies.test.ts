import { createHmac } from 'node:crypto'
import { API_PREFIX, type Call, CODES, editor, LIMITS, newNonce, user } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { sharedApp, type TestApp } from '../../testing/start-app.ts'

const shared = sharedApp()
const LARGE = 3.9 * 1024 * 1024

/** A body as it is, with a signature that fits. */
async function send(app: TestApp, call: Call, { token, body }: { token: string; body: string | Buffer }) {
  const nonce = newNonce()
  const timestamp = String(app.clock.now().getTime())
  const signature = createHmac('sha256', token).update(`${nonce}\n${timestamp}\n`).update(body).digest('hex')
  const answer = await app.http.inject({
    method: 'POST',
    url: API_PREFIX + call.path,
    headers: { token, nonce, timestamp, signature, 'content-type': 'application/json' },
    payload: body,
  })
  return answer.json<{ code: number; message: string }>()
}

const ended = (before: string, middle: string, behind = ''): string =>
  before + middle.repeat((LARGE - before.length - behind.length) / middle.length) + behind

test.each([
  ['opened lists', ended('', '['), 'The body is nested deeper than 32 levels.'],
  ['opened objects', ended('', '{"a":'), 'The body is nested deeper than 32 levels.'],
  ['small numbers', ended('[', '1,', '1]'), 'The body has more than 50000 values. Send fewer at once.'],
  ['names', ended('{', '"a":1,', '"a":1}'), 'The body has more than 50000 values. Send fewer at once.'],
  ['one text without an end', ended('"', 'x'), 'The body is not JSON.'],
  ['blanks', ended('', ' '), 'The body is not JSON.'],
])('3.9 MB of %s are refused in words where a large body is taken', async (_, body, message) => {
  const app = await shared()
  const { token } = await app.user()
  expect(await send(app, editor.updateSql, { token, body })).toMatchObject({
    code: CODES.BadInput.code,
    message,
  })
})

test('a text of a million letters of three bytes is taken, and kept as it is', async () => {
  const app = await shared()
  const someone = await app.user()
  const sql = `select '${'漢'.repeat(LIMITS.sqlLength - 20)}'`
  const { data } = await someone.call(editor.createTab, { tabName: 'long', sql })
  const tabs = await someone.call(editor.tabDetail, { tabId: data.tabId })
  expect(tabs.data.sql).toBe(sql)
})

test('a large body whose signature does not fit is refused, whatever is in it', async () => {
  const app = await shared()
  const { token } = await app.user()
  const other = await app.user()
  const body = ended('', '[')
  const nonce = newNonce()
  const timestamp = String(app.clock.now().getTime())
  const signature = createHmac('sha256', other.token).update(`${nonce}\n${timestamp}\n${body}`).digest('hex')
  const answer = await app.http.inject({
    method: 'POST',
    url: API_PREFIX + editor.updateSql.path,
    headers: { token, nonce, timestamp, signature, 'content-type': 'application/json' },
    payload: body,
  })
  expect(answer.json()).toMatchObject({ code: CODES.BadSignature.code })
})

test('a call that needs no large body takes none, and one without a login less', async () => {
  const app = await shared()
  const { token } = await app.user()
  const padded = (bytes: number) => '{}'.padEnd(bytes)
  const code = async (call: Call, who: string, bytes: number) =>
    (await send(app, call, { token: who, body: padded(bytes) })).code
  expect(await code(user.info, token, LIMITS.smallBodyBytes)).toBe(CODES.Ok.code)
  expect(await code(user.info, token, LIMITS.smallBodyBytes + 1)).toBe(CODES.TooLarge.code)
  expect(await code(editor.updateSql, token, LIMITS.bodyBytes + 1)).toBe(CODES.TooLarge.code)
  expect(await code(user.login, '', LIMITS.bodyBytesBeforeLogin + 1)).toBe(CODES.TooLarge.code)
})

test.each([
  ['a small body', 'user/info', '['.repeat(1000), 'The body is nested deeper than 32 levels.'],
  ['a body without a login', 'user/login', '[{"a":'.repeat(100), 'The body is nested deeper than 32 levels.'],
])('%s is judged by the same bounds', async (_, path, body, message) => {
  const app = await shared()
  const isLogin = path === 'user/login'
  const token = isLogin ? '' : (await app.user()).token
  expect(await send(app, isLogin ? user.login : user.info, { token, body })).toMatchObject({ message })
})

test('bytes that are no UTF-8 are refused, although they are signed', async () => {
  const app = await shared()
  const { token } = await app.user()
  const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')])
  expect((await send(app, user.info, { token, body })).message).toBe('The body is not UTF-8.')
})

test('of many large bodies at once by one user a few are received, and another user is served', async () => {
  const app = await shared()
  const [ada, bea] = [await app.user(), await app.user()]
  const body = ended('', '[')
  const flood = Array.from({ length: 30 }, () => send(app, editor.updateSql, { token: ada.token, body }))
  expect((await bea.call(editor.createTab, { tabName: 'long', sql: 'x'.repeat(300_000) })).code).toBe(
    CODES.Ok.code,
  )
  const codes = (await Promise.all(flood)).map(({ code }) => code)
  expect(new Set(codes)).toEqual(new Set([CODES.BadInput.code, CODES.TooManyAttempts.code]))
  expect(codes.filter((code) => code === CODES.BadInput.code).length).toBeGreaterThanOrEqual(6)
  expect((await send(app, editor.updateSql, { token: ada.token, body })).code, 'places are given back').toBe(
    CODES.BadInput.code,
  )
})
