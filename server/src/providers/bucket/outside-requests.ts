import {
  Agent as PlainAgent,
  type ClientRequest,
  type IncomingMessage,
  request as plainRequest,
} from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'
import { isIP } from 'node:net'
import { OutsideRefused } from '../../kernel/outside.ts'
import { isPublic, publicLookup } from './addresses.ts'
import { closedNetwork, failureOf } from './refusals.ts'

export interface OutsideRequestOptions {
  /** Origins that the operator has allowed, in a closed network or without TLS. Others must be public, with TLS. */
  readonly openEndpoints: readonly string[]
  /** How long nothing may come. */
  readonly silenceMs?: number
}

interface SentRequest {
  /** Its origin is where it goes; nothing else of it is used. */
  readonly to: URL
  readonly method: 'GET' | 'POST'
  /** With the question. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** How the service reaches what catalogs are over. */
export interface OutsideRequests {
  /** The beginning of an answer. Redirects are answers as any other: they are not followed. Rejects with an `OutsideRefused`. */
  send(request: SentRequest, stop: AbortSignal): Promise<IncomingMessage>
  /** Throws an `OutsideRefused` for what nothing is ever sent to, as far as the address alone says so. */
  requireAllowed(to: URL): void
  close(): void
}

const SILENCE_MS = 10_000
const CONNECTIONS = 64

const AGENT = { keepAlive: true, maxSockets: CONNECTIONS, maxFreeSockets: 8 }

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/** Never more than this much of it. */
export async function textOf(answer: IncomingMessage, most: number): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  try {
    for await (const part of answer as AsyncIterable<Buffer>) {
      length += part.length
      if (length > most) {
        answer.destroy()
        throw new OutsideRefused('nonsense', 'its answer is far too long')
      }
      parts.push(part)
    }
  } catch (error) {
    throw failureOf(error)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Node throws at once for values that a header does not allow. */
function begun(begin: () => ClientRequest): ClientRequest {
  try {
    return begin()
  } catch (error) {
    throw new OutsideRefused('refused', 'its keys or its credential have characters that cannot be sent', {
      cause: error,
    })
  }
}

export function createOutsideRequests({
  openEndpoints,
  silenceMs = SILENCE_MS,
}: OutsideRequestOptions): OutsideRequests {
  const opened = new Set(openEndpoints)
  const agents = {
    plain: new PlainAgent(AGENT),
    tls: new TlsAgent(AGENT),
    public: new TlsAgent(AGENT),
  }

  /** By which connections it is reached. */
  function routeTo(url: URL) {
    if (opened.has(url.origin))
      return url.protocol === 'https:'
        ? { request: tlsRequest, agent: agents.tls }
        : { request: plainRequest, agent: agents.plain }
    const host = hostOf(url)
    if (isIP(host) !== 0 && !isPublic(host)) throw closedNetwork()
    if (url.protocol !== 'https:')
      throw new OutsideRefused(
        'refused',
        'it does not use TLS, and the operator of the service has not allowed this address',
      )
    return { request: tlsRequest, agent: agents.public, lookup: publicLookup }
  }

  return {
    requireAllowed: (to) => void routeTo(to),

    async send({ to, method, path, headers, body }, stop) {
      const { request, ...route } = routeTo(to)
      const sent = begun(() =>
        request({
          ...route,
          method,
          host: hostOf(to),
          port: to.port || (to.protocol === 'https:' ? 443 : 80),
          path,
          headers: { ...headers, 'accept-encoding': 'identity' },
          timeout: silenceMs,
          signal: stop,
        }),
      )
      return new Promise((resolve, reject) => {
        let answered: IncomingMessage | null = null
        // The answer, once there is one: its reader learns why it ends.
        const late = () =>
          (answered ?? sent).destroy(
            new OutsideRefused('unreachable', `it does not answer within ${silenceMs / 1000} s`),
          )
        const deadline = setTimeout(late, silenceMs)
        sent.once('response', (answer) => {
          clearTimeout(deadline)
          answered = answer
          resolve(answer)
        })
        sent.once('timeout', late)
        sent.once('error', (error) => {
          clearTimeout(deadline)
          reject(failureOf(error))
        })
        sent.end(body)
      })
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}
