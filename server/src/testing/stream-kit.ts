import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { StreamResponse } from '../doors/http/stream-answer.ts'
import type { TestApp } from './start-app.ts'
import { PASSWORD } from './test-password.ts'

/** A request to the app over a real connection, and what came back. */
export interface Told<T = StreamResponse> {
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
  const answer = new Promise<Told>((resolve, reject) => {
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

export async function streamed(app: TestApp, body: string | Buffer, put: Put = {}): Promise<Told> {
  const { request, answer } = await begun(app, put)
  request.end(body)
  return answer
}
