import type { IncomingMessage } from 'node:http'
import { OutsideRefused } from '../../kernel/outside.ts'
import { createOutsideRequests } from '../bucket/outside-requests.ts'
import { failureOf } from '../bucket/refusals.ts'
import type { WebhookSender } from './webhooks.ts'

interface SenderOptions {
  /** Origins that the operator has allowed, in a closed network or without TLS. */
  readonly openEndpoints: readonly string[]
  /** From the first byte that is sent to the last that is read. */
  readonly patienceMs?: number
}

const PATIENCE_MS = 10_000
const ANSWER_BYTES = 4_096

/** As text that a database accepts, also where it ends within a character or holds invalid bytes. */
const readable = (bytes: Buffer): string => bytes.toString('utf8').replaceAll('\0', '\uFFFD')

async function beginningOf(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    parts.push(part)
    length += part.length
    // Leaving the loop closes the connection.
    if (length >= ANSWER_BYTES) break
  }
  return readable(Buffer.concat(parts).subarray(0, ANSWER_BYTES))
}

export function createWebhookSender({
  openEndpoints,
  patienceMs = PATIENCE_MS,
}: SenderOptions): WebhookSender {
  const requests = createOutsideRequests({ openEndpoints, silenceMs: patienceMs })
  return {
    async send({ url, headers, body }) {
      const to = new URL(url)
      const stop = AbortSignal.timeout(patienceMs)
      try {
        const answer = await requests.send(
          {
            to,
            method: 'POST',
            path: `${to.pathname}${to.search}`,
            headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
            body,
          },
          stop,
        )
        return { status: answer.statusCode ?? 0, body: await beginningOf(answer) }
      } catch (error) {
        if (stop.aborted)
          throw new OutsideRefused('unreachable', `it does not answer within ${patienceMs / 1000} s`, {
            cause: error,
          })
        throw failureOf(error)
      }
    },
    requireAllowed: (url) => requests.requireAllowed(new URL(url)),
    close: requests.close,
  }
}
