import { CallError } from '@boathouse/client/call-error'
import { createEmitter } from '@boathouse/client/emitter'
import { fakeClock } from '@boathouse/client/testing/fake-clock'
import { defineCall } from '@boathouse/contract/call'
import { editor as editorCalls } from '@boathouse/contract/editor'
import { log as logCalls } from '@boathouse/contract/log'
import { region as regionCalls } from '@boathouse/contract/region'
import { sign } from '@boathouse/contract/signature'
import { user as userCalls, type UserInfo } from '@boathouse/contract/user'
import { describe, expect, test, vi } from 'vitest'
import { adaLovelace } from '../testing/people.ts'
import type { CallEvent } from './call-events.ts'
import { createSend } from './send.ts'
import { createSession } from './session.ts'

interface Seen {
  readonly url: string
  readonly init: RequestInit
  readonly headers: Headers
}

type Answer = (seen: Seen) => Response | Promise<Response>

const envelope = (code: number, message = '', data: unknown = null) => Response.json({ code, message, data })

function start(answer: Answer, { onLoginPage = false, takesReports = true } = {}) {
  const clock = fakeClock(1_750_000_000_000)
  const session = createSession(window.localStorage)
  session.start({ token: 'the token', info: adaLovelace() })
  const events = createEmitter<CallEvent>()
  const received: CallEvent[] = []
  events.subscribe((event) => received.push(event))
  const requests: Seen[] = []
  const logged: string[] = []
  const parts = createSend({
    fetch: async (url, init) => {
      const seen = { url, init, headers: new Headers(init.headers) }
      requests.push(seen)
      if (takesReports && url.endsWith('/log/report')) return envelope(20000, '', {})
      return answer(seen)
    },
    clock,
    session,
    hosts: { regional: () => 'https://eu-1.example.com', central: () => 'https://central.example.com' },
    events,
    onLoginPage: () => onLoginPage,
    log: (message) => logged.push(message),
  })
  const types = () => received.map((event) => event.type)
  return { ...parts, clock, session, received, types, requests, logged }
}

async function failureOf(call: Promise<unknown>): Promise<CallError> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof CallError)) throw new Error('The call should have failed with a CallError.')
  return error
}

const reports = (requests: Seen[]): string[] =>
  requests
    .filter((seen) => seen.url.endsWith('/api/log/report'))
    .map((seen) => (JSON.parse(seen.init.body as string) as { message: string }).message)

const never: Answer = ({ init }) =>
  new Promise((_, reject) =>
    init.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError'))),
  )

const tab = { tabName: 'Query 1' }
const { createTab } = editorCalls

describe('the request', () => {
  test('goes by POST with a JSON body to the regional host below /api [API-01, API-03]', async () => {
    const { send, requests } = start(() => envelope(20000, '', {}))
    await send(userCalls.logout, {})
    expect(requests[0]?.url).toBe('https://eu-1.example.com/api/user/logout')
    expect(requests[0]?.init.method).toBe('POST')
    expect(requests[0]?.init.body).toBe('{}')
    expect(requests[0]?.headers.get('content-type')).toBe('application/json')
  })

  test('goes by GET without a body where the call says so, and to the central host if flagged [API-02, API-03]', async () => {
    const { send, requests } = start(() => envelope(20000, '', { cspList: [], regionList: [] }))
    await send(regionCalls.list, {})
    expect(requests[0]?.url).toBe('https://central.example.com/api/region/list')
    expect(requests[0]?.init.method).toBe('GET')
    expect(requests[0]?.init.body).toBeUndefined()
  })

  test('carries credentials, language, token, nonce, timestamp and a signature over them and the body [API-04, API-06, API-07, API-08, API-09, API-10, API-11]', async () => {
    const { send, requests } = start(() => envelope(42900))
    await failureOf(send(createTab, { tabName: 'Žluťoučký 🐎' }))
    const [seen] = requests
    const header = (name: string) => seen?.headers.get(name) ?? ''
    expect(seen?.init.credentials).toBe('include')
    expect(header('Accept-Language')).toBe('en-us')
    expect(header('token')).toBe('the token')
    expect(header('nonce')).toMatch(/^[0-9a-f]{32}$/)
    expect(header('timestamp')).toBe('1750000000000')
    expect(header('signature')).toBe(
      sign({
        token: 'the token',
        nonce: header('nonce'),
        timestamp: '1750000000000',
        body: '{"tabName":"Žluťoučký 🐎"}',
      }),
    )
  })

  test('has a nonce of its own each time [API-08]', async () => {
    const { send, requests } = start(() => envelope(20000, '', {}))
    await send(userCalls.logout, {})
    await send(userCalls.logout, {})
    expect(new Set(requests.map((seen) => seen.headers.get('nonce'))).size).toBe(2)
  })

  test('is signed with an empty token and, for GET, an empty body before sign-in [API-11]', async () => {
    const { send, session, requests } = start(() => envelope(20000, '', { cspList: [], regionList: [] }))
    session.end()
    await send(regionCalls.list, {})
    const header = (name: string) => requests[0]?.headers.get(name) ?? ''
    const parts = { token: '', nonce: header('nonce'), timestamp: header('timestamp'), body: '' }
    expect(header('token')).toBe('')
    expect(header('signature')).toBe(sign(parts))
  })
})

describe('the answer', () => {
  test('code 20000 gives the data [API-12, API-14]', async () => {
    const info: UserInfo = adaLovelace()
    const { send, types } = start(() => envelope(20000, '', info))
    expect(await send(userCalls.info, {})).toEqual(info)
    expect(types()).toEqual(['ipClear'])
  })

  test('another code rejects with message and code, without the body [API-29]', async () => {
    const { send } = start(() => envelope(42900, 'Ten are enough.'))
    const error = await failureOf(send(createTab, tab))
    expect(error).toMatchObject({ codeName: 'LimitReached', code: 42900, message: 'Ten are enough.' })
    expect(error.raw).toBeUndefined()
    expect(error.call).toBe(createTab)
  })

  test('codes above 50003 reject with the raw body and are not reported [API-28, API-30]', async () => {
    const body = { code: 50004, message: 'New trouble.', data: null, hint: { retryAfter: 3 } }
    const { send, types, requests } = start(() => Response.json(body))
    const error = await failureOf(send(createTab, tab))
    expect(error.raw).toEqual(body)
    expect(error).toMatchObject({ codeName: 'UnknownCode', code: 50004 })
    expect(types()).toContain('failed')
    expect(reports(requests)).toEqual([])
  })

  test('50003 is not above 50003 [API-28, API-29]', async () => {
    const { send, requests } = start(() => envelope(50003, 'Old trouble.'))
    const error = await failureOf(send(createTab, tab))
    expect(error.raw).toBeUndefined()
    expect(reports(requests)).toHaveLength(1)
  })

  test.each([
    ['a proxy page', () => new Response('<h1>502 Bad Gateway</h1>', { status: 502 })],
    ['an empty answer', () => new Response('')],
    ['JSON that is no envelope', () => Response.json({ ok: true })],
    ['data of another shape', () => envelope(20000, '', { tabId: 7 })],
  ])('%s is a BadAnswer that keeps what came', async (_, answer) => {
    const { send } = start(answer)
    const error = await failureOf(send(createTab, tab))
    expect(error).toMatchObject({ codeName: 'BadAnswer', code: 0, raw: await answer().text() })
  })

  test('an answer of an HTTP error status is read by its envelope', async () => {
    const { send } = start(() =>
      Response.json({ code: 40901, message: 'Taken.', data: null }, { status: 409 }),
    )
    expect(await failureOf(send(createTab, tab))).toMatchObject({ codeName: 'NameTaken', message: 'Taken.' })
  })
})

describe('what the page learns', () => {
  test('40001 fires relogin away from the login page, without a toast [API-19]', async () => {
    const { send, types } = start(() => envelope(40001, 'Sign in first.'))
    await failureOf(send(createTab, tab))
    expect(types()).toEqual(['ipClear', 'relogin'])
  })

  test('40001 on the login page is a toast of 5 s and no relogin [API-18]', async () => {
    const { send, received } = start(() => envelope(40001, 'Sign in first.'), { onLoginPage: true })
    await failureOf(send(createTab, tab))
    expect(received).toMatchObject([
      { type: 'ipClear' },
      { type: 'failed', toast: { message: 'Sign in first.', durationMs: 5_000 } },
    ])
  })

  test('a late 40001 of an earlier login does not end the present one', async () => {
    const { send, session, types } = start(() => {
      session.start({ token: 'newer', info: adaLovelace() })
      return envelope(40001)
    })
    await failureOf(send(createTab, tab))
    expect(types()).toEqual(['ipClear'])
  })

  test.each([
    ['Access from 203.0.113.7 is not allowed.', '203.0.113.7'],
    ['blocked:10.0.0.1', '10.0.0.1'],
    ['Access is not allowed.', ''],
  ])('41003 tells the blocked address found in %j [API-15]', async (message, ip) => {
    const { send, received } = start(() => envelope(41003, message))
    await failureOf(send(createTab, tab))
    expect(received).toEqual([{ type: 'ipBlocked', ip }])
  })

  test.each([20000, 40001, 40008, 42900, 50004])('code %d clears the block [API-17]', async (code) => {
    const { send, types } = start(() => envelope(code, '', {}))
    await send(userCalls.logout, {}).catch(() => undefined)
    expect(types()[0]).toBe('ipClear')
  })

  test('any other code is a toast of 3 s, unless the caller wants none [API-23, API-25]', async () => {
    const { send, received } = start(() => envelope(42900, 'Enough.'))
    await failureOf(send(createTab, tab, { silent: true }))
    expect(received.filter((event) => event.type === 'failed')).toEqual([])
    const error = await failureOf(send(createTab, tab))
    expect(received).toContainEqual({
      type: 'failed',
      error,
      call: createTab,
      toast: { message: 'Enough.', durationMs: 3_000 },
    })
  })

  test('the connection limit is silenced by its option [API-27]', async () => {
    const { send, types } = start(() => envelope(42901, 'Reach limit of connections'))
    await failureOf(send(createTab, tab, { ignoreConnectionLimit: true }))
    expect(types()).not.toContain('failed')
    await failureOf(send(createTab, tab))
    expect(types()).toContain('failed')
  })
})

describe('when nothing comes back', () => {
  test('a call times out after 60 s, or after its own time [API-05, SHELL-91]', async () => {
    for (const [call, ms] of [
      [createTab, 60_000],
      [defineCall({ ...createTab, timeoutMs: 5_000 }), 5_000],
    ] as const) {
      const { send, clock, received } = start(never)
      let settled = false
      const failing = failureOf(send(call, tab)).finally(() => (settled = true))
      clock.advance(ms - 1)
      await Promise.resolve()
      expect(settled).toBe(false)
      clock.advance(1)
      expect(await failing).toMatchObject({ codeName: 'TimedOut', message: 'request timed out' })
      expect(received).toMatchObject([{ type: 'failed', toast: { durationMs: 5_000 } }])
      await vi.waitFor(() => expect(clock.timers()).toBeLessThanOrEqual(1))
    }
  })

  test('a network error is a toast of 5 s and is not reported over the same broken line [API-31, API-32]', async () => {
    const { send, received, requests } = start(() => Promise.reject(new TypeError('Failed to fetch')))
    const error = await failureOf(send(createTab, tab))
    expect(error).toMatchObject({ codeName: 'NetworkError', code: 0 })
    expect(received).toMatchObject([
      { type: 'failed', toast: { message: expect.stringContaining('cannot be reached'), durationMs: 5_000 } },
    ])
    expect(requests).toHaveLength(1)
  })

  test('a caller that gives up gets its own reason and nothing is shown', async () => {
    const { send, received, clock } = start(never)
    const stop = new AbortController()
    const call = send(createTab, tab, { signal: stop.signal })
    stop.abort('left the page')
    await expect(call).rejects.toBe('left the page')
    expect(received).toEqual([])
    expect(clock.timers()).toBe(0)
    await expect(send(createTab, tab, { signal: stop.signal })).rejects.toBe('left the page')
  })
})

describe('reports to the service', () => {
  test('name errUrl, requestBody with secrets masked, and accountId, by POST to log [API-29, API-33, API-34, API-35]', async () => {
    const { send, requests } = start(() => envelope(50000, 'Oops.'))
    const login = { accountId: 'ABC12345', username: 'ada', password: 'c2VjcmV0' }
    await failureOf(send(userCalls.login, login))
    expect(requests[1]?.init.method).toBe('POST')
    const [report = ''] = reports(requests)
    expect(report).toContain('errUrl=/api/user/login')
    expect(report).toContain('accountId=ABC12345')
    expect(report).toContain('requestBody={"accountId":"ABC12345","username":"ada","password":"***"}')
    expect(report).toContain('Internal 50000: Oops.')
    expect(report).not.toContain('c2VjcmV0')
  })

  test.each([40000, 40001, 40007, 40008, 40300, 41003, 42902])(
    'are not made for %d, which the user brought about or knows of',
    async (code) => {
      const { send, requests } = start(() => envelope(code))
      await failureOf(send(createTab, tab))
      expect(reports(requests)).toEqual([])
    },
  )

  test('are not made about themselves', async () => {
    const { send, requests, logged } = start(() => envelope(50000, 'Oops.'), { takesReports: false })
    await failureOf(send(logCalls.report, { message: 'x' }))
    await failureOf(send(createTab, tab))
    await vi.waitFor(() => expect(logged).toEqual(['An error could not be reported to the service.']))
    // One made by hand, the failed call, and the one report about that.
    expect(requests).toHaveLength(3)
  })
})
