import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CODES } from '@boathouse/contract'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '../../kernel/log.ts'
import { startApp, type TestApp } from '../../testing/start-app.ts'

const SHORT = { headersMs: 200, requestMs: 400, lookMs: 50, refusalMs: 0, silentMs: 400 }
const HEAD = 'POST /api/user/login HTTP/1.1\r\nhost: test\r\n'
const JSON_BODY = `${HEAD}content-type: application/json\r\n`

async function opened(app: TestApp, text: string) {
  const { hostname, port } = new URL(await app.url())
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  socket.write(text)
  return socket
}

/** All that the server says until it closes the connection. */
async function answerTo(app: TestApp, text: string): Promise<string> {
  const socket = await opened(app, text)
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
  await new Promise((resolve) => socket.on('close', resolve))
  return answer
}

test.each([
  ['nothing', ''],
  ['headers that do not end', HEAD],
  ['a body that does not end', `${JSON_BODY}content-length: 100\r\n\r\n{`],
  ['pieces that do not end', `${JSON_BODY}transfer-encoding: chunked\r\n\r\n1\r\n{\r\n`],
])('a connection that sends %s is closed in time, with a reason', async (_, text) => {
  const app = await startApp({}, { httpTimes: SHORT })
  const answer = await answerTo(app, text)
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(answer).toContain(`"code":${CODES.BadInput.code},"message":"The request did not arrive in time.`)
  expect(answer).toContain('x-content-type-options: nosniff')
})

test('a body that comes byte by byte is closed in time too', async () => {
  const app = await startApp({}, { httpTimes: SHORT })
  const socket = await opened(app, `${JSON_BODY}content-length: 1000000\r\n\r\n`)
  const drip = setInterval(() => socket.write(' '), 20)
  onTestFinished(() => clearInterval(drip))
  expect(await new Promise((resolve) => socket.on('close', () => resolve('closed')))).toBe('closed')
})

test.each([
  ['no HTTP', 'hello\r\n\r\n', 400],
  ['headers of 100 KB', `${HEAD}long: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
])('%s is answered with the envelope and its headers', async (_, text, status) => {
  const app = await startApp()
  const answer = await answerTo(app, text)
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(answer).toContain(`"code":${CODES.BadInput.code}`)
  expect(answer).toContain('x-frame-options: DENY')
})

test.each([
  ['POST', '/api/%'],
  ['GET', '/api/user/%ff'],
  ['GET', '/%'],
  ['GET', '/download/%zz'],
] as const)('%s %s, an address that cannot be read, is answered as any other', async (method, url) => {
  const app = await startApp()
  const answer = await app.http.inject({ method, url })
  expect(answer.statusCode).toBe(CODES.BadInput.http)
  expect(answer.json()).toEqual({
    code: CODES.BadInput.code,
    message: 'The address of the request is invalid: a % in it is not followed by a character code.',
    data: null,
  })
  expect(answer.headers).toMatchObject({
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining("script-src 'self'"),
  })
  expect(answer.headers['cache-control']).toBe(url.startsWith('/api') ? 'no-store' : undefined)
})

test('a download link that is far too long leads nowhere', async () => {
  const app = await startApp()
  const answer = await app.http.inject(`/download/${'x'.repeat(2000)}`)
  expect(answer.json()).toMatchObject({ code: CODES.UnknownCall.code })
  expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff' })
})

test('a client that goes away in the middle of its request is a line in the log, and no error', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'boathouse-log-'))
  const fd = openSync(join(directory, 'log'), 'a')
  onTestFinished(() => {
    closeSync(fd)
    rmSync(directory, { recursive: true })
  })
  const lines = () => readFileSync(join(directory, 'log'), 'utf8')
  const app = await startApp({}, { log: createLog('info', fd) })
  const requests: IncomingMessage[] = []
  app.http.server.on('request', (request) => requests.push(request))
  const socket = await opened(app, `${JSON_BODY}content-length: 100\r\n\r\n{`)
  await expect.poll(() => requests[0]?.readableFlowing, { message: 'its body is read' }).toBe(true)
  socket.resetAndDestroy()
  await expect.poll(lines).toContain('a client went away in the middle of its request')
  expect(lines()).not.toContain('"level":50')
  expect(lines()).not.toContain('stack')
})
