import { WebSocket } from 'ws'
import { addressOf, type Login } from '@boathouse/client'
import type { QueryReq, QueryRsp, ServerMessage } from '@boathouse/contract'
import { QUERY_STATES } from '@boathouse/contract'

export interface Closed {
  readonly code: number
  readonly reason: string
}

/** A channel that sends whatever it is given, as the console's own client never would. */
export class RawChannel {
  /** Resolves when it is closed, by either side. */
  readonly closed: Promise<Closed>
  readonly #socket: WebSocket
  readonly #listeners = new Set<(message: ServerMessage) => void>()

  private constructor(socket: WebSocket) {
    this.#socket = socket
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }))
    })
    // The close that follows reports it.
    socket.on('error', () => undefined)
    socket.on('message', (data) => {
      const message = JSON.parse((data as Buffer).toString()) as ServerMessage
      for (const listener of this.#listeners) listener(message)
    })
  }

  static async open(login: Login): Promise<RawChannel> {
    const socket = new WebSocket(addressOf(login))
    const channel = new RawChannel(socket)
    await new Promise((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    return channel
  }

  send(data: Buffer | string, isBinary = false): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(data, { binary: isBinary })
  }

  /** Resolves with the first message for which `pick` returns something; null once the channel is closed. */
  async hear<T>(pick: (message: ServerMessage) => T | undefined): Promise<T | null> {
    let listener: ((message: ServerMessage) => void) | undefined
    const picked = new Promise<T>((resolve) => {
      listener = (message) => {
        const found = pick(message)
        if (found !== undefined) resolve(found)
      }
      this.#listeners.add(listener)
    })
    const result = await Promise.race([picked, this.closed.then(() => null)])
    if (listener) this.#listeners.delete(listener)
    return result
  }

  /** The last answer of every statement; null when the channel closed instead. */
  async ask(request: QueryReq): Promise<QueryRsp[] | null> {
    const ends = new Map<number, QueryRsp>()
    const heard = this.hear((message) => {
      if (message.cmd !== 2 || message.queryRsp.requestId !== request.requestId) return undefined
      const { queryRsp } = message
      const { queryState } = queryRsp
      if (queryState !== QUERY_STATES.Finished && queryState !== QUERY_STATES.Failed) return undefined
      ends.set(queryRsp.statementIndex, queryRsp)
      return ends.size >= queryRsp.statementCount ? [...ends.values()] : undefined
    })
    this.send(JSON.stringify({ cmd: 2, queryReq: request }))
    return heard
  }

  async close(): Promise<void> {
    this.#socket.close()
    await this.closed
  }
}
