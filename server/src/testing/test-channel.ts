import { randomUUID } from 'node:crypto'
import {
  CHANNEL_PATH,
  type ClientMessage,
  newNonce,
  type QueryReq,
  type QueryRsp,
  QUERY_STATES,
  ServerMessage,
  sign,
} from '@boathouse/contract'
import { WebSocket } from 'ws'

/** The address of a channel as the console would make it. */
export function channelUrl(base: string, options: { token: string; now: Date }): string {
  const parts = {
    token: options.token,
    nonce: newNonce(),
    timestamp: String(options.now.getTime()),
    body: '',
  }
  const url = new URL(CHANNEL_PATH, base.replace('http', 'ws'))
  url.searchParams.set('client_id', 'test')
  url.searchParams.set('token', parts.token)
  url.searchParams.set('nonce', parts.nonce)
  url.searchParams.set('timestamp', parts.timestamp)
  url.searchParams.set('signature', sign(parts))
  return url.href
}

const isFinal = (answer: QueryRsp): boolean =>
  answer.queryState === QUERY_STATES.Finished || answer.queryState === QUERY_STATES.Failed

/** A bare client of the channel: sends only what a test asks for, keeps every message, waits without sleeping. */
export class TestChannel {
  readonly socket: WebSocket
  readonly heard: ServerMessage[] = []
  readonly closed: Promise<{ code: number; reason: string }>
  readonly #waiting = new Set<() => void>()

  private constructor(url: string, headers: Record<string, string>, localAddress?: string) {
    this.socket = new WebSocket(url, { headers, ...(localAddress && { localAddress }) })
    this.closed = new Promise((resolve) => {
      this.socket.on('close', (code, reason) => {
        resolve({ code, reason: reason.toString() })
        this.#wake()
      })
    })
    this.socket.on('message', (data: Buffer) => {
      this.heard.push(ServerMessage.parse(JSON.parse(data.toString())))
      this.#wake()
    })
  }

  static open(
    url: string,
    headers: Record<string, string> = {},
    localAddress?: string,
  ): Promise<TestChannel> {
    const channel = new TestChannel(url, headers, localAddress)
    return new Promise((resolve, reject) => {
      channel.socket.once('open', () => resolve(channel))
      channel.socket.once('error', reject)
    })
  }

  send(message: ClientMessage): void {
    this.socket.send(JSON.stringify(message))
  }

  /** Resolves with the first thing heard that `pick` returns for, now or later; rejects when the channel closes. */
  hear<T>(pick: (message: ServerMessage) => T | undefined): Promise<T> {
    let seen = 0
    return this.#until(() => {
      while (seen < this.heard.length) {
        const message = this.heard[seen++]
        const found = message && pick(message)
        if (found !== undefined) return found
      }
      return undefined
    })
  }

  /** Looks now and whenever something is heard. */
  #until<T>(find: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = find()
        if (found !== undefined) resolve(found)
        else if (this.socket.readyState >= WebSocket.CLOSING) reject(new Error('The channel closed.'))
        else return
        this.#waiting.delete(look)
      }
      this.#waiting.add(look)
      look()
    })
  }

  /** Sends a query and resolves with the final answer of each of its statements. */
  async run(sql: string, overrides: Partial<QueryReq> = {}): Promise<QueryRsp[]> {
    const request = { connId: 0, oriConnId: 0, channel: 'tab', requestId: randomUUID(), sql, ...overrides }
    const before = this.heard.length
    this.send({ cmd: 2, queryReq: request })
    return this.finalAnswers(request.requestId, before)
  }

  finalAnswers(requestId: string, since = 0): Promise<QueryRsp[]> {
    return this.#until(() => {
      const answers = this.heard
        .slice(since)
        .flatMap((message) =>
          message.cmd === 2 && message.queryRsp.requestId === requestId ? [message.queryRsp] : [],
        )
        .filter(isFinal)
      return answers.length > 0 && answers.length >= (answers[0]?.statementCount ?? 1) ? answers : undefined
    })
  }

  #wake(): void {
    for (const look of this.#waiting) look()
  }
}
