import { createReadStream } from 'node:fs'
import { Agent, request } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { SignIn } from '@boathouse/client'

/** More than wait at any time, fewer than a user may send at once: none waits in the client for another one. */
const SOCKETS = 500

interface Answer {
  readonly Status: string
  readonly Message: string
  readonly TxnId: number
  readonly NumberLoadedRows: number
}

/** Sends bodies as a program does, over connections that stay open. */
export function createSender({ accountId, username, password, url }: SignIn) {
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS })
  const authorization = `Basic ${Buffer.from(`${accountId}.${username}:${password}`).toString('base64')}`

  async function put(
    table: string,
    headers: Record<string, string>,
    body: string | { file: string },
  ): Promise<Answer> {
    const sent = request(new URL(`/api/main/${table}/_stream_load`, url), {
      method: 'PUT',
      agent,
      headers: { authorization, ...headers },
    })
    const answered = new Promise<string>((resolve, reject) => {
      sent.once('error', reject)
      sent.once('response', (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        response.once('end', () => resolve(text))
      })
    })
    if (typeof body === 'string') sent.end(body)
    else await pipeline(createReadStream(body.file, { highWaterMark: 256 * 1024 }), sent)
    const answer = JSON.parse(await answered) as Answer
    if (answer.Status !== 'Success') throw new Error(answer.Message)
    return answer
  }

  return { put, close: () => agent.destroy() }
}

export type Sender = ReturnType<typeof createSender>
