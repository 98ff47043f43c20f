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
import { parseJson, type ReadJson } from '../../kernel/json/parse.ts'
import type { JsonReader } from '../../kernel/json/reader.ts'
import type { Log } from '../../kernel/log.ts'
import type { Announcement, Announcements } from '../../modules/announcement/service.ts'
import type { Requester } from '../../modules/query/requester.ts'
import type { Listener } from '../../modules/query/answers/request-answers.ts'
import type { Queries } from '../../modules/query/service.ts'
import { ChannelInbox } from './channel-inbox.ts'
import { queryAnswer, refusalAnswer } from './query-answer.ts'
import { readMessage, type UnreadMessage } from './read-message.ts'

/** A reader this far behind is cut off; its requests run, and it asks for them again when it is back. */
const MAX_BUFFERED_BYTES = 32 * 1024 * 1024
const MAX_UNREAD = 100
/** Of a message: a keep-alive of a thousand connections has some two thousand. */
const RULES = { bounds: { depth: 8, tokens: 5_000 } }

export interface ChannelOptions {
  readonly socket: WebSocket
  readonly actor: Actor
  readonly clientId: string
  readonly clientIp: string
  /** What a program with an API key calls itself; undefined for the console. */
  readonly program: string | undefined
  readonly insId: string
  readonly queries: Queries
  readonly announcements: Pick<Announcements, 'since'>
  /** Who they are now, or as of this version; rejects when they may not be here any more. */
  readonly now: Requester['now']
  readonly jsonReader: JsonReader
  readonly log: Log
}

/** One open channel of one login: reads messages, hands them to the query service, writes answers. */
export class Channel {
  readonly #options: ChannelOptions
  readonly #listeners = new Set<Listener>()
  readonly #heartbeat: NodeJS.Timeout
  readonly #inbox: ChannelInbox
  /** Kinds of errors that are in the log already: a channel that fails once may fail ten thousand times. */
  readonly #logged = new Set<string>()
  #unread = 0

  constructor(options: ChannelOptions) {
    this.#options = options
    const { socket } = options
    this.#inbox = new ChannelInbox({
      read: (bytes) => this.#read(bytes && parseJson(bytes, RULES)),
      readLarge: (bytes) => this.#readLarge(bytes),
      handle: (message) => this.#handle(message),
      pause: () => socket.pause(),
      resume: () => socket.resume(),
    })
    socket.on('message', (data, isBinary) => this.#inbox.put(isBinary ? null : (data as Buffer)))
    socket.on('close', () => this.#release())
    // CHANNEL-21: the close that follows an error is what is acted on.
    socket.on('error', (error) => options.log.info({ err: error }, 'channel error'))
    this.#heartbeat = setInterval(() => this.#send({ cmd: 0 }), CHANNEL_TIMES.heartbeatMs)
    this.#send({ cmd: 0 })
  }

  get loginId(): string {
    return this.#options.actor.loginId
  }

  get keyId(): string | undefined {
    return this.#options.actor.key?.keyId
  }

  get userId(): string {
    return this.#options.actor.userId
  }

  get accountId(): string {
    return this.#options.actor.accountId
  }

  get clientIp(): string {
    return this.#options.clientIp
  }

  /** A program has no editor, whichever way it sends its statements. */
  get #door(): 'channel' | 'http' {
    return this.keyId === undefined ? 'channel' : 'http'
  }

  announce({ seq, type, data }: Pick<Announcement, 'seq' | 'type' | 'data'>): void {
    this.#send({ cmd: 3, seq, type, data })
  }

  /** What was allowed may have ended: then it is closed. */
  async check(): Promise<void> {
    await this.#currentActor()
  }

  close(code: number, reason: string): void {
    this.#options.socket.close(code, reason)
    this.#inbox.drop()
  }

  #release(): void {
    clearInterval(this.#heartbeat)
    this.#inbox.drop()
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

  #read(json: ReadJson | null): ClientMessage | null {
    const read = readMessage(json)
    if (read.message) return read.message
    this.#refuseMessage(read)
    return null
  }

  async #readLarge(bytes: Buffer): Promise<ClientMessage | null> {
    const { actor, jsonReader } = this.#options
    try {
      const { read } = await jsonReader.read([actor.accountId, actor.userId], { bytes, rules: RULES })
      return this.#read(read)
    } catch (error) {
      this.#refuseMessage({ problem: this.#refusalOf(error).message })
      return null
    }
  }

  /** A message that cannot be read is answered and the channel stays open, unless nothing else ever comes. */
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
    try {
      if (message.cmd === 1) await this.#keepAlive(message)
      else if (message.cmd === 2) await this.#begin(message.queryReq)
      else await this.#killConnection(message.connId)
    } catch (error) {
      // The client retries automatically.
      if (error instanceof AppError) this.#logOnce('warn', error, 'a channel message could not be answered')
      else this.#logOnce('error', error, 'a channel message failed for a reason not foreseen')
    }
  }

  async #keepAlive({ connIds, since }: ClientMessage & { cmd: 1 }): Promise<void> {
    const actor = await this.#currentActor()
    if (!actor) return
    const notAliveConnIds = await this.#options.queries.keepAlive(actor, connIds)
    this.#send({ cmd: 1, keepAliveRsp: { notAliveConnIds } })
    if (since === undefined) return
    for (const missed of await this.#options.announcements.since(actor, since)) this.announce(missed)
  }

  async #killConnection(connId: number): Promise<void> {
    const actor = await this.#currentActor()
    if (actor) await this.#options.queries.killConnection(actor, connId)
  }

  /** Resolves when it is written down: its end is not waited for, so that it can be killed and kept alive meanwhile. */
  #begin(request: QueryReq): Promise<void> {
    void this.#query(request)
    return this.#options.queries.begun(this.#options.actor, request.requestId)
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
        values: request.values,
        connectionId: request.connId,
        previousConnectionId: request.oriConnId,
        clientId,
        clientIp,
        door: this.#door,
        program: this.#options.program,
      }
      await queries.submit(this.#requester(), submission, listener)
    } catch (error) {
      this.#send({ cmd: 2, queryRsp: refusalAnswer(request, insId, this.#refusalOf(error)) })
    } finally {
      this.#listeners.delete(listener)
    }
  }

  #requester(): Requester {
    const { actor, now } = this.#options
    return { known: actor, now }
  }

  #refusalOf(error: unknown) {
    if (error instanceof AppError) return error
    this.#logOnce('error', error, 'a query failed for a reason not foreseen')
    return new AppError('Internal', 'Something went wrong in the service, and it was logged. Try again.')
  }

  #logOnce(level: 'warn' | 'error', error: unknown, message: string): void {
    const kind = error instanceof AppError ? error.code : message
    if (this.#logged.has(kind)) return
    this.#logged.add(kind)
    this.#options.log[level]({ err: error }, `${message}; not logged again for this channel`)
  }

  /** Roles and logins change while a channel is open: every message is judged by what holds now. */
  async #currentActor(): Promise<Actor | null> {
    try {
      return await this.#options.now()
    } catch (error) {
      // A service that cannot tell now has not said that the login has ended.
      if (!(error instanceof AppError) || CODES[error.code].http >= 500) throw error
      const isBlocked = error.code === 'IpBlocked'
      this.close(isBlocked ? CHANNEL_CLOSE.IpBlocked : CHANNEL_CLOSE.LoginRequired, error.message)
      return null
    }
  }
}
