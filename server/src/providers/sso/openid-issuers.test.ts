import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CODES, IDENTITY_MESSAGES, sso } from '@boathouse/contract'
import { expect, onTestFinished, test } from 'vitest'
import { startApp } from '../../testing/start-app.ts'
import { createOpenIdIssuers } from './openid-issuers.ts'

type Answer = (request: IncomingMessage, response: ServerResponse, url: string) => void

/** Counts who connects. */
async function listening(answer: Answer, host = '127.0.0.1') {
  const seen: string[] = []
  const server: Server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    answer(request, response, url)
  })
  let connections = 0
  server.on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const url = `http://${host}:${port}`
  return { url, port, seen, connections: () => connections }
}

const json = (response: ServerResponse, value: unknown): void => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(value))
}
const description = (url: string, named: Record<string, string> = {}) => ({
  issuer: url,
  authorization_endpoint: `${url}/auth`,
  token_endpoint: `${url}/token`,
  jwks_uri: `${url}/jwks`,
  ...named,
})
const silent: Answer = (_request, response) => void response.end()

function issuersOf(...openEndpoints: string[]) {
  const issuers = createOpenIdIssuers({ openEndpoints })
  onTestFinished(() => issuers.close())
  return issuers
}

/** As the log would say it. */
const refusalOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'reached',
    (error: Error) => `${error.message} ${error.cause instanceof Error ? error.cause.message : ''}`,
  )

const clientAt = (issuer: string) => ({
  issuer,
  clientId: 'a',
  clientSecret: 'b',
  redirectUri: 'http://boathouse.example/sso-redirect',
})

test('nothing of this machine or of a closed network is reached, however its address is written', async () => {
  const trap = await listening(silent)
  const issuers = issuersOf()
  const { port } = trap
  for (const host of [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0.0.0.0',
    'localhost',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '10.0.0.1',
    '169.254.169.254',
    '[fe80::1]',
    '[fd00::1]',
  ])
    for (const protocol of ['https', 'http']) {
      const client = clientAt(`${protocol}://${host}:${port}`)
      expect([client.issuer, await refusalOf(issuers.addressOf(client, issuers.newChallenge()))]).toEqual([
        client.issuer,
        expect.stringMatching(/private network|does not use TLS|without TLS|only requests to HTTPS|lookup/i),
      ])
    }
  expect(trap.connections()).toBe(0)
})

test('what an issuer names is held against the same rule: tokens and redirects lead nowhere else', async () => {
  const trap = await listening(silent)
  const naming = await listening((_request, response, url) =>
    json(response, description(url, { token_endpoint: `${trap.url}/token` })),
  )
  const issuers = issuersOf(naming.url)
  const challenge = issuers.newChallenge()
  const client = clientAt(naming.url)
  expect(await issuers.addressOf(client, challenge)).toContain(`${naming.url}/auth`)
  const answer = `?code=abc&state=${challenge.state}&iss=${encodeURIComponent(naming.url)}`
  await expect(issuers.claims(client, challenge, answer), 'a token').rejects.toThrow(/./)
  for (const status of [301, 302, 307, 308]) {
    const leading = await listening((_request, response) => {
      response.writeHead(status, { location: `${trap.url}/.well-known/openid-configuration` })
      response.end()
    })
    const redirected = issuersOf(leading.url)
    await expect(
      redirected.addressOf(clientAt(leading.url), redirected.newChallenge()),
      `a redirect by ${status}`,
    ).rejects.toThrow(/./)
    expect(leading.seen).toHaveLength(1)
  }
  expect(trap.connections()).toBe(0)
})

test.each([
  'javascript:alert(1)//',
  'data:text/html,x',
  'http://elsewhere.example/auth',
  'file:///etc/passwd',
])('browsers are not sent to %s', async (authorization_endpoint) => {
  const issuer = await listening((_request, response, url) =>
    json(response, description(url, { authorization_endpoint })),
  )
  const issuers = issuersOf(issuer.url)
  await expect(issuers.addressOf(clientAt(issuer.url), issuers.newChallenge())).rejects.toThrow(/./)
})

test('an opened address opens itself alone, not another port of the same machine', async () => {
  const trap = await listening(silent)
  const issuer = await listening((_request, response, url) => json(response, description(url)))
  const issuers = issuersOf(issuer.url)
  await expect(issuers.addressOf(clientAt(trap.url), issuers.newChallenge())).rejects.toThrow(/./)
  expect(trap.connections()).toBe(0)
})

test('an answer that is far too long is not read to its end', async () => {
  const issuer = await listening((_request, response, url) =>
    json(response, { ...description(url), padding: 'x'.repeat(2_000_000) }),
  )
  const issuers = issuersOf(issuer.url)
  await expect(issuers.addressOf(clientAt(issuer.url), issuers.newChallenge())).rejects.toThrow(/./)
})

test('a port that is open, closed, silent or forbidden is reported in one sentence after one time', async () => {
  const FAILS_AFTER_MS = 300
  const open = await listening(silent)
  const hanging = await listening(() => undefined)
  const closed = 'http://127.0.0.1:9'
  const app = await startApp(
    { BOATHOUSE_SSO_ENDPOINTS: [open.url, hanging.url, closed].join() },
    { issuerFailsAfterMs: FAILS_AFTER_MS },
  )
  const admin = await app.user(['security_admin'])
  for (const issuer of [
    open.url,
    hanging.url,
    closed,
    'https://127.0.0.1:1',
    `https://localhost:${open.port}`,
  ]) {
    const began = performance.now()
    const answer = await admin.call(sso.saveSettings, {
      issuer,
      clientId: 'a',
      clientSecret: 'b',
      enabled: true,
    })
    expect([issuer, answer.code, answer.message]).toEqual([
      issuer,
      CODES.SsoFailed.code,
      IDENTITY_MESSAGES.ssoFailed,
    ])
    expect(performance.now() - began).toBeGreaterThanOrEqual(FAILS_AFTER_MS - 10)
  }
})

test('an issuer without TLS is refused unless the operator has opened its address', async () => {
  const app = await startApp()
  const admin = await app.user(['security_admin'])
  const draft = { issuer: 'http://issuer.example', clientId: 'a', clientSecret: 'b', enabled: false }
  expect((await admin.call(sso.saveSettings, draft)).code).toBe(CODES.BadInput.code)
})
