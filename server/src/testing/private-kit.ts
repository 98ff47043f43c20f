import { request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { type Call, type Sent, vpce } from '@boathouse/contract'
import { type Connection, createConnection } from 'mysql2/promise'
import { expect, onTestFinished } from 'vitest'
import { signedCall } from './signed-call.ts'
import type { Answer, TestApp, TestUser } from './start-app.ts'
import { PASSWORD } from './test-password.ts'

/** Settings of an app that listens for clients of private links, on any free ports. */
export const WITH_PRIVATE_LINK = {
  BOATHOUSE_MYSQL_PORT: '0',
  BOATHOUSE_PRIVATE_LINK_HTTP_PORT: '0',
  BOATHOUSE_PRIVATE_LINK_MYSQL_PORT: '0',
} as const

/** Addresses of this machine, as of machines in the networks of two customers, and of nobody. */
export const OF_FIRST = '127.0.0.11'
export const OF_SECOND = '127.0.0.12'
export const OF_NOBODY = '127.0.0.13'

export const endpointId = (n: number): string => `vpce-${n.toString(16).padStart(17, '0')}`

export interface Requested {
  readonly n: number
  readonly type?: 'sql' | 'streaming'
}

/** A request of somebody who may make one. */
export const requestEndpoint = (user: TestUser, { n, type = 'sql' }: Requested) =>
  user.call(vpce.create, {
    endpointId: endpointId(n),
    awsAccountId: '123456789012',
    region: 'local-1',
    connectionType: type,
  })

export async function approvedEndpoint(
  app: TestApp,
  user: TestUser,
  wanted: Requested & { readonly addresses: string },
): Promise<string> {
  await requestEndpoint(user, wanted)
  const endpoint = endpointId(wanted.n)
  await app.operator('private-link approve', {
    account: user.accountId,
    endpoint,
    addresses: wanted.addresses,
  })
  return endpoint
}

export interface PrivateRequest {
  readonly from: string
  readonly method?: string
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: string
  /** In front of everything else, as a load balancer sends it. */
  readonly proxied?: Buffer
}

/** What came back from the private listener; null: the connection was cut off. */
export async function privateRequest(
  app: TestApp,
  { from, method = 'GET', path, headers = {}, body, proxied }: PrivateRequest,
): Promise<{ readonly status: number; readonly text: string } | null> {
  await app.url()
  const { host, port } = app.privateHttp?.address ?? { host: '', port: 0 }
  return new Promise((resolve) => {
    const request = httpRequest({
      method,
      path,
      headers,
      createConnection: () => {
        const socket = connect({ host, port, localAddress: from })
        if (proxied) socket.write(proxied)
        return socket
      },
    })
    request.once('error', () => resolve(null))
    request.once('response', (response) => {
      let text = ''
      response.on('data', (part: Buffer) => (text += part.toString()))
      response.once('error', () => resolve(null))
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    request.end(body)
  })
}

/** A call over the private listener; null: the connection was cut off. */
export async function privateCall<C extends Call>(
  app: TestApp,
  { from, token = '', proxied }: { from: string; token?: string; proxied?: Buffer },
  { call, input }: { call: C; input: Sent<C> },
): Promise<Answer<C> | null> {
  const { method, url, headers, payload } = signedCall(call, input, { token, now: app.clock.now() })
  const answer = await privateRequest(app, {
    from,
    method,
    path: url,
    headers,
    ...(payload !== undefined && { body: payload }),
    ...(proxied && { proxied }),
  })
  return answer && (JSON.parse(answer.text) as Answer<C>)
}

export interface PrivateClient {
  readonly from: string
  readonly account?: string
  readonly user?: string
  readonly proxied?: Buffer
}

/** A MySQL client that connects to the private listener; ends with the test. */
export async function privateMysql(
  app: TestApp,
  { from, account = app.accountId, user = 'admin', proxied }: PrivateClient,
): Promise<Connection> {
  await expect.poll(() => app.mysql?.privateAddress).toBeTruthy()
  const { host, port } = app.mysql?.privateAddress ?? { host: '', port: 0 }
  const client = await createConnection({
    user: `${account}.${user}`,
    password: PASSWORD,
    ssl: { rejectUnauthorized: false },
    connectTimeout: 60_000,
    stream: (): Socket => {
      const socket = connect({ host, port, localAddress: from })
      if (proxied) socket.write(proxied)
      return socket
    },
  })
  // A connection that the server ends says so to who waits, and to nobody else.
  client.on('error', () => undefined)
  onTestFinished(() => client.destroy())
  return client
}

const field = (type: number, value: Buffer): Buffer => {
  const head = Buffer.alloc(3)
  head[0] = type
  head.writeUInt16BE(value.length, 1)
  return Buffer.concat([head, value])
}

/** PROXY protocol v2 as a network load balancer of AWS sends it, for TCP over IPv4. */
export function proxyHeader(ip: string, ...endpointIds: readonly string[]): Buffer {
  const addresses = Buffer.concat([
    Buffer.from(ip.split('.').map(Number)),
    Buffer.from([10, 0, 0, 1]),
    Buffer.from([0xc0, 0x01, 0x01, 0xbb]),
  ])
  const rest = Buffer.concat([
    addresses,
    field(0x04, Buffer.from('00', 'hex')),
    ...endpointIds.map((id) => field(0xea, Buffer.concat([Buffer.from([0x01]), Buffer.from(id)]))),
  ])
  const head = Buffer.from('0d0a0d0a000d0a515549540a21110000', 'hex')
  head.writeUInt16BE(rest.length, 14)
  return Buffer.concat([head, rest])
}
