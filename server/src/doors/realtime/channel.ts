import {
  CHANNEL_CLOSE,
  CHANNEL_TIMES,
  type ClientMessage,
  CODES,
  type QueryReq,
  type ServerMessage,
} from '@boathouse/contract'
import type { WebSocket } from 'ws'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Log } from '../../kernel/log.ts'
import type { Announcement, Announcements } from '../../modules/announcement/service.ts'
import type { Asker } from '../../modules/query/asker.ts'
import type { Listener } from '../../modules/query/request-answers.ts'
import type { Queries } from '../../modules/query/service.ts'
import { queryAnswer, refusalAnswer } from './query-answer.ts'
import { readMessage, type UnreadMessage } from './read-message.ts'

/** A reader this far behind is cut off; its requests go on, and it asks for them again when it is back. */
const MAX_BUFFERED_BYTES = 32 * 1024 * 1024
const MAX_UNREAD = 100

export interface ChannelOptions {
  readonly socket: WebSocket
  readonly actor: Actor
  readonly clientId: string
  readonly clientIp: string
  readonly insId: string
  readonly queries: Queries
  readonly announcements: Pick<Announcements, 'since'>
  readonly authenticate: (loginId: string, identityVersion?: number) => Promise<Actor>
  readonly log: Log
}

/** One open channel of one login: reads messages, hands them to the query service, writes answers. */
export class Channel {
  readonly #options: ChannelOptions
  readonly #listeners = new Set<Listener>()
  readonly #heartbeat: NodeJS.Timeout
  #unread = 0
  /** A connection that is being ended is gone for every message behind that one. */
  #ending: Promise<void> = Promise.resolve()

  constructor(options: ChannelOptions) {
    this.#options = options
    const { socket } = options
    socket.on(
      'message',
      (data, isBinary) => void this.#receive(isBinary ? null : (data as Buffer).toString()),
    )
    socket.on('close', () => this.#release())
    // CHANNEL-21: the close that follows an error is what is acted on.
    socket.on('error', (error) => options.log.info({ err: error }, 'channel error'))
    this.#heartbeat = setInterval(() => this.#send({ cmd: 0 }), CHANNEL_TIMES.heartbeatMs)
    this.#send({ cmd: 0 })
  }

  get loginId(): string {
    return this.#options.actor.loginId
  }

  get userId(): string {
    return this.#options.actor.userId
  }

  get accountId(): string {
    return this.#options.actor.accountId
  }

  announce({ seq, type, data }: Pick<Announcement, 'seq' | 'type' | 'data'>): void {
    this.#send({ cmd: 3, seq, type, data })
  }

  close(code: number, reason: string): void {
    this.#options.socket.close(code, reason)
  }

  #release(): void {
    clearInterval(this.#heartbeat)
    for (const listener of this.#listeners) this.#options.queries.detach(listener)
  }

  #send(message: ServerMessage): void {
    const { socket, log } = this.#options
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > MAX_BUFFERED_BYTES) {
      log.warn({ bufferedBytes: socket.bufferedAmount }, 'a channel reads too slowly and is closed')
      socket.terminate()
      return
    }
    socket.send(JSON.stringify(message))
  }

  async #receive(text: string | null): Promise<void> {
    const read = readMessage(text)
    if (!read.message) return this.#refuseMessage(read)
    const before = this.#ending
    const handled = before.then(() => this.#handle(read.message))
    if (read.message.cmd === 3) this.#ending = handled.catch(() => undefined)
    try {
      await handled
    } catch (error) {
      const { log } = this.#options
      // The client asks again by itself.
      if (error instanceof AppError) log.warn({ err: error }, 'a channel message could not be answered')
      else log.error({ err: error }, 'a channel message failed for a reason not foreseen')
    }
  }

  /** A message that cannot be read is answered and the channel goes on, unless nothing else ever comes. */
  #refuseMessage({ problem, query }: UnreadMessage): void {
    if (++this.#unread > MAX_UNREAD) {
      this.close(CHANNEL_CLOSE.BadMessage, 'Too many messages that cannot be read.')
      return
    }
    const refusal = { code: 'BadInput', message: problem } as const
    if (query) this.#send({ cmd: 2, queryRsp: refusalAnswer(query, this.#options.insId, refusal) })
    else this.#send({ cmd: 3, seq: 0, type: 'BadMessage', data: { message: problem } })
  }

  async #handle(message: ClientMessage): Promise<void> {
    const { queries } = this.#options
    switch (message.cmd) {
      case 1: {
        const actor = await this.#currentActor()
        if (!actor) return
        const notAliveConnIds = await queries.keepAlive(actor, message.connIds)
        this.#send({ cmd: 1, keepAliveRsp: { notAliveConnIds } })
        if (message.since === undefined) return
        for (const missed of await this.#options.announcements.since(actor, message.since))
          this.announce(missed)
        return
      }
      case 2:
        return this.#query(message.queryReq)
      case 3: {
        const actor = await this.#currentActor()
        if (actor) await queries.killConnection(actor, message.connId)
      }
    }
  }

  async #query(request: QueryReq): Promise<void> {
    const { queries, insId, clientId, clientIp } = this.#options
    const listener: Listener = (answer) =>
      this.#send({ cmd: 2, queryRsp: queryAnswer(request, insId, answer) })
    this.#listeners.add(listener)
    try {
      const submission = {
        requestId: request.requestId,
        sql: request.sql,
        connectionId: request.connId,
        previousConnectionId: request.oriConnId,
        clientId,
        clientIp,
        door: 'channel' as const,
      }
      await queries.submit(this.#asker(), submission, listener)
    } catch (error) {
      this.#send({ cmd: 2, queryRsp: refusalAnswer(request, insId, this.#refusalOf(error)) })
    } finally {
      this.#listeners.delete(listener)
    }
  }

  #asker(): Asker {
    const { actor, authenticate } = this.#options
    return { known: actor, now: (identityVersion) => authenticate(this.loginId, identityVersion) }
  }

  #refusalOf(error: unknown) {
    if (error instanceof AppError) return error
    this.#options.log.error({ err: error }, 'a query failed for a reason not foreseen')
    return new AppError('Internal', 'Something went wrong in the service. It was logged; try again.')
  }

  /** Roles and logins change while a channel is open: every message is judged by what holds now. */
  async #currentActor(): Promise<Actor | null> {
    try {
      return await this.#options.authenticate(this.loginId)
    } catch (error) {
      // A service that cannot tell now has not said that the login has ended.
      if (!(error instanceof AppError) || CODES[error.code].http >= 500) throw error
      this.close(CHANNEL_CLOSE.LoginRequired, error.message)
      return null
    }
  }
}
