import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { StreamResponse } from '../doors/http/stream-answer.ts'
import type { TransactionResponse } from '../doors/http/stream-transaction-answer.ts'
import type { TestApp } from './start-app.ts'
import { PASSWORD } from './test-password.ts'

/** A request to the app over a real connection, and what came back. */
export interface StreamAnswer<T = StreamResponse> {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: T
}

export async function portOf(app: TestApp): Promise<number> {
  if (!app.http.server.listening) await app.http.listen({ port: 0, host: '127.0.0.1' })
  return (app.http.server.address() as AddressInfo).port
}

export const basic = (app: TestApp, user = 'admin', password = PASSWORD): string =>
  `Basic ${Buffer.from(`${app.accountId}.${user}:${password}`).toString('base64')}`

export interface Put {
  readonly path?: string
  readonly method?: string
  readonly headers?: OutgoingHttpHeaders
}

/** Begins a request; its body is written by the caller. */
export async function begun(
  app: TestApp,
  { path = '/api/main/t/_stream_load', method = 'PUT', headers = {} }: Put,
) {
  const port = await portOf(app)
  const request = httpRequest({
    port,
    path,
    method,
    host: '127.0.0.1',
    agent: false,
    headers: { authorization: basic(app), ...headers },
  })
  const answer = new Promise<StreamAnswer>((resolve, reject) => {
    request.once('error', reject)
    request.once('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString()
        const body = (text.startsWith('{') ? JSON.parse(text) : text) as StreamResponse
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
      })
    })
  })
  answer.catch(() => undefined)
  return { request, answer }
}

export async function streamed(app: TestApp, body: string | Buffer, put: Put = {}): Promise<StreamAnswer> {
  const { request, answer } = await begun(app, put)
  request.end(body)
  return answer
}

type Headers = Readonly<Record<string, string>>

/** The transactions of one user, under one label each. */
export function transactionsOf(app: TestApp, authorization = basic(app)) {
  const post = async (step: string, headers: Headers): Promise<TransactionResponse> => {
    const path = `/api/transaction/${step}`
    const put = { path, method: 'POST', headers: { authorization, db: 'main', ...headers } }
    return (await streamed(app, '', put)).body as unknown as TransactionResponse
  }
  const partOf = (label: string, more: Headers = {}): Put => ({
    path: '/api/transaction/load',
    headers: { authorization, db: 'main', table: 't', column_separator: ',', label, ...more },
  })
  return {
    begin: (label: string, more: Headers = {}) => post('begin', { table: 't', label, ...more }),
    prepare: (label: string, more: Headers = {}) => post('prepare', { label, ...more }),
    commit: (label: string, more: Headers = {}) => post('commit', { label, ...more }),
    rollback: (label: string) => post('rollback', { label }),
    /** A part whose body is written by the caller. */
    open: async (label: string, more?: Headers) => {
      const { request, answer } = await begun(app, partOf(label, more))
      const parsed = answer.then(({ body }) => body as unknown as TransactionResponse)
      parsed.catch(() => undefined)
      return { request, answer: parsed }
    },
    load: async (label: string, body: string | Buffer, more?: Headers): Promise<TransactionResponse> =>
      (await streamed(app, body, partOf(label, more))).body as unknown as TransactionResponse,
    state: async (label: string): Promise<string> => {
      const put = {
        path: `/api/main/get_load_state?label=${label}`,
        method: 'GET',
        headers: { authorization },
      }
      return ((await streamed(app, '', put)).body as unknown as { state: string }).state
    },
  }
}
