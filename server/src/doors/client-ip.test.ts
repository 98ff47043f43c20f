import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { type ClientMessage, CODES, encodePassword, ServerMessage, user } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { signedCall } from '../testing/signed-call.ts'
import { startApp, type TestApp } from '../testing/start-app.ts'
import { channelUrl } from '../testing/test-channel.ts'
import { clientIpBehind } from './client-ip.ts'

const PROXY = '10.0.0.9'

function requestWith(forwarded: string | undefined): IncomingMessage {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: PROXY })
  const request = new IncomingMessage(socket)
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded
  return request
}

test.each([
  { proxies: 0, forwarded: undefined, ip: PROXY, why: 'there is no header' },
  { proxies: 0, forwarded: '203.0.113.7', ip: PROXY, why: 'no known proxy could have set it' },
  { proxies: 1, forwarded: '203.0.113.7', ip: '203.0.113.7', why: 'the proxy has set it' },
  { proxies: 1, forwarded: '192.0.2.1, 203.0.113.7', ip: '203.0.113.7', why: 'anybody can write the rest' },
  { proxies: 2, forwarded: '192.0.2.1, 203.0.113.7, 10.0.0.8', ip: '203.0.113.7', why: 'two proxies tell' },
  { proxies: 2, forwarded: '203.0.113.7', ip: '203.0.113.7', why: 'one of two proxies was passed by' },
  { proxies: 1, forwarded: ' 2001:db8::7 ', ip: '2001:db8::7', why: 'spaces do not matter' },
  { proxies: 1, forwarded: undefined, ip: PROXY, why: 'the proxy has not set it' },
  { proxies: 1, forwarded: 'unknown', ip: PROXY, why: 'the proxy has set no address' },
])('behind $proxies proxies, with $forwarded forwarded, it is $ip: $why', ({ proxies, forwarded, ip }) => {
  expect(clientIpBehind(proxies)(requestWith(forwarded))).toBe(ip)
})

const headers = { 'x-forwarded-for': '192.0.2.1, 203.0.113.7' }

/** Signs in and runs a statement, both with the headers; resolves with the addresses that were written down. */
async function writtenDown(app: TestApp) {
  const input = { accountId: app.accountId, username: 'admin', password: encodePassword(app.password) }
  const login = signedCall(user.login, input, { token: '', now: app.clock.now() })
  const answer = await app.http.inject({ ...login, headers: { ...login.headers, ...headers } })
  const { code, data } = answer.json<{ code: number; data: { token: string } }>()
  expect(code).toBe(CODES.Ok.code)
  const url = channelUrl(await app.url(), { token: data.token, now: app.clock.now() })
  await runOver(new WebSocket(url, { headers }))
  const logins = await app.store.db.selectFrom('logins').select('client_ip').execute()
  const statements = await app.store.db.selectFrom('statements').select('client_ip').execute()
  return [...logins, ...statements].map((row) => row.client_ip)
}

async function runOver(socket: WebSocket): Promise<void> {
  const queryReq = {
    connId: 0,
    oriConnId: 0,
    channel: 'tab',
    requestId: randomUUID(),
    sql: 'SHOW WAREHOUSES',
  }
  const ended = new Promise<void>((resolve) => {
    socket.on('message', (data: Buffer) => {
      const message = ServerMessage.parse(JSON.parse(data.toString()))
      if (message.cmd === 2 && message.queryRsp.queryState === 2) resolve()
    })
  })
  await once(socket, 'open')
  socket.send(JSON.stringify({ cmd: 2, queryReq } satisfies ClientMessage))
  await ended
  socket.close()
}

test('neither door believes a word about the address unless the operator says so', async () => {
  expect(await writtenDown(await startApp())).toEqual(['127.0.0.1', '127.0.0.1'])
})

test('behind one proxy both doors take the address that the proxy added', async () => {
  const app = await startApp({ BOATHOUSE_TRUST_PROXY: '1' })
  expect(await writtenDown(app)).toEqual(['203.0.113.7', '203.0.113.7'])
})

test('failed logins are rateLimited by the address that the proxy added, not by one that the asker made up', async () => {
  const app = await startApp({ BOATHOUSE_TRUST_PROXY: '1' })
  const attempt = async (madeUp: number) => {
    const input = { accountId: app.accountId, username: `nobody${madeUp}`, password: encodePassword('wrong') }
    const login = signedCall(user.login, input, { token: '', now: app.clock.now() })
    const forwardedFor = { 'x-forwarded-for': `192.0.2.${madeUp}, 203.0.113.7` }
    const answer = await app.http.inject({ ...login, headers: { ...login.headers, ...forwardedFor } })
    return answer.json<{ code: number }>().code
  }
  for (let madeUp = 0; madeUp < 50; madeUp++) await attempt(madeUp)
  expect(await attempt(50)).toBe(CODES.TooManyAttempts.code)
})
