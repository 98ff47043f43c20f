import { createReadStream } from 'node:fs'
import { Agent, request } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { SignIn } from '@boathouse/client'

interface Answer {
  readonly Status: string
  readonly Message: string
  readonly TxnId: number
  readonly NumberLoadedRows: number
}

export const authorizationOf = ({ accountId, username, password }: SignIn): string =>
  `Basic ${Buffer.from(`${accountId}.${username}:${password}`).toString('base64')}`

/** Throws what a load says that was refused. */
export function readAnswer(text: string): Answer {
  const answer = JSON.parse(text) as Answer
  if (answer.Status !== 'Success') throw new Error(answer.Message)
  return answer
}

/** Sends bodies as a program does, over connections that stay open. */
export function createSender(signIn: SignIn) {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const authorization = authorizationOf(signIn)

  async function put(
    table: string,
    headers: Record<string, string>,
    body: string | { file: string },
  ): Promise<Answer> {
    const sent = request(new URL(`/api/main/${table}/_stream_load`, signIn.url), {
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
    return readAnswer(await answered)
  }

  return { put, close: () => agent.destroy() }
}

export type Sender = ReturnType<typeof createSender>
