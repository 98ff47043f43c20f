import { connect } from 'node:net'
import { account, CODES, editor, LIMITS, log, region, user } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { signedCall } from '../../testing/signed-call.ts'
import { startApp, type TestApp } from '../../testing/start-app.ts'

const envelope = async (app: TestApp, request: ReturnType<typeof signedCall>) =>
  (await app.http.inject(request)).json<{ code: number; message: string }>()

const nonces = async ({ store }: TestApp): Promise<number> =>
  Number(
    (await store.pool.query<{ count: string }>('select count(*) from request_nonces')).rows[0]?.count ?? -1,
  )

/** The answer to a request whose body was announced and never sent. */
async function answerToUnsentBody(app: TestApp, headers: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(await app.url())
  const socket = connect(Number(port), hostname)
  socket.write([...headers, 'host: test', 'content-type: application/json', '', ''].join('\r\n'))
  let answer = ''
  for await (const chunk of socket) answer += String(chunk)
  return answer
}

test.each([
  ['letters beyond ASCII', 'é'.repeat(64)],
  ['letters beyond ASCII, of the right number of bytes', 'é'.repeat(32)],
  ['too short', 'ab'],
  ['too long', 'a'.repeat(65)],
  ['of capital letters', 'A'.repeat(64)],
])('a signature that is %s does not fit, and nothing else happens [API-10]', async (_, signature) => {
  const app = await startApp()
  const good = signedCall(region.list, {}, { token: '', now: app.clock.now() })
  expect(await envelope(app, { ...good, headers: { ...good.headers, signature } })).toEqual({
    code: CODES.BadSignature.code,
    message: 'The signature does not match this request.',
    data: null,
  })
})

test('only a login that exists has its nonces written down', async () => {
  const app = await startApp()
  const now = app.clock.now()
  await envelope(app, signedCall(account.locate, { accountId: app.accountId }, { token: '', now }))
  for (const token of ['', 'nobody-has-this-token'])
    expect(await envelope(app, signedCall(user.info, {}, { token, now }))).toMatchObject({
      code: CODES.LoginRequired.code,
    })
  expect(await nonces(app)).toBe(0)
  const { token } = await app.admin()
  expect(await envelope(app, signedCall(user.info, {}, { token, now }))).toMatchObject({
    code: CODES.Ok.code,
  })
  expect(await nonces(app)).toBe(1)
})

test('a call that needs no login takes a small body only', async () => {
  const app = await startApp()
  const body = { accountId: app.accountId, more: 'x'.repeat(LIMITS.bodyBytesBeforeLogin) }
  const { token } = await app.admin()
  for (const asked of ['', token])
    expect(
      await envelope(app, signedCall(account.locate, body, { token: asked, now: app.clock.now() })),
    ).toEqual({
      code: CODES.TooLarge.code,
      message:
        'The request is too large: a call takes 128 KiB, one with a long text of SQL or many columns 4 MiB, and one that needs no login 32 KiB.',
      data: null,
    })
})

test.each([
  ['announced by its length', `content-length: ${LIMITS.bodyBytesBeforeLogin + 1}`],
  ['sent in pieces', 'transfer-encoding: chunked'],
])('without a login a large body %s is refused before it is read', async (_, length) => {
  const app = await startApp()
  const answer = await answerToUnsentBody(app, [
    'POST /api/editor/create-tab HTTP/1.1',
    'token: nobody',
    length,
  ])
  expect(answer).toContain('HTTP/1.1 401')
  expect(answer).toContain(`"code":${CODES.LoginRequired.code}`)
  expect(answer.toLowerCase()).toContain('connection: close')
})

test('with a login a text of the largest size is taken', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const sql = 'x'.repeat(LIMITS.sqlLength)
  expect(await admin.call(editor.createTab, { tabName: 'large', sql })).toMatchObject({ code: CODES.Ok.code })
})

test('the largest error report is taken before login, in any language', async () => {
  const app = await startApp()
  const message = '語'.repeat(LIMITS.errorReportLength)
  expect(await app.call(log.report, { message })).toMatchObject({ code: CODES.Ok.code })
})
