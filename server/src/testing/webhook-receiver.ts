import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface ReceivedHook {
  readonly headers: IncomingHttpHeaders
  readonly path: string
  readonly body: string
}

/** Receives webhooks on this machine, and answers as a test asks. */
export async function startReceiver() {
  const received: ReceivedHook[] = []
  const state = { answer: (response: ServerResponse): void => void response.end('thanks') }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8')
      received.push({ headers: request.headers, path: request.url ?? '', body })
      state.answer(response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    origin,
    url: `${origin}/hook?key=1`,
    received,
    answerWith: (answer: (response: ServerResponse) => void): void => {
      state.answer = answer
    },
    /** From now on. */
    answerStatus: (status: number): void => {
      state.answer = (response) => void response.writeHead(status).end('no')
    },
  }
}
