import type { SecureContext } from 'node:tls'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RowBatch } from '../../../engines/engine/sink.ts'
import type { DoorSettings, SessionState, SqlError, ToServer } from '../link/messages.ts'
import { signIn } from './auth/sign-in.ts'
import { dispatch } from './commands/dispatch.ts'
import { type FileWindow, newFileWindow } from './commands/local-file.ts'
import { PreparedStatements } from './commands/prepared-statements.ts'
import { compressionOf, handshake } from './handshake.ts'
import { type Answer, type AnswerOf, HungUp, Inbox } from './inbox.ts'
import type { SpoolSpace } from './results/spool-space.ts'
import type { Transport } from './transport.ts'
import { COMMAND, CAN } from './wire/flags.ts'
import type { Login } from './wire/login-packet.ts'
import { ClientGone, FatalProtocolError, ProtocolError } from './wire/protocol-error.ts'
import { type OkFields, errorPacket, okPacket, sessionChanges, statusOf } from './wire/result-packets.ts'

/** What a client needs of the process that it is in. */
export interface ClientHost {
  readonly settings: DoorSettings
  readonly secureContext: SecureContext | null
  readonly isStopping: boolean
  /** Of the cursors of all clients. */
  readonly cursorSpace: SpoolSpace
  send(message: ToServer): void
  sendFile(client: number, bytes: Uint8Array): number
  signedIn(client: Client): void
  commandStarted(): void
  refused(cause: string): void
}

/** Of a text that the server turns into a message, in which a character may have two bytes. */
const MOST_COMMAND_BYTES = 32 * 1024 * 1024

/** One connection, from its greeting to its end. */
export class Client {
  readonly number: number
  readonly transport: Transport
  readonly statements: PreparedStatements
  readonly fileWindow: FileWindow = newFileWindow()
  readonly cursorSpace: SpoolSpace
  allowsSeveral = false
  readonly #host: ClientHost
  readonly #inbox = new Inbox()
  #session: SessionState | null = null
  #login: Login | null = null
  #nonce: Buffer = Buffer.alloc(0)
  #isBusy = true
  #isKnownToServer = false
  /** Bytes of rows that have left since the last command was answered. */
  #ungranted = 0

  constructor(number: number, transport: Transport, host: ClientHost) {
    this.number = number
    this.transport = transport
    this.#host = host
    this.statements = new PreparedStatements(this.mostCommandBytes)
    this.cursorSpace = host.cursorSpace.forConnection()
  }

  get settings(): DoorSettings {
    return this.#host.settings
  }

  get secureContext(): SecureContext | null {
    return this.#host.secureContext
  }

  get mostCommandBytes(): number {
    return Math.min(this.settings.mostPacketBytes, MOST_COMMAND_BYTES)
  }

  get isSignedIn(): boolean {
    return this.#session !== null
  }

  get isIdle(): boolean {
    return !this.#isBusy
  }

  get session(): SessionState {
    if (!this.#session) throw new Error('Nobody has signed in yet.')
    return this.#session
  }

  get login(): Login {
    if (!this.#login) throw new Error('Nobody has signed in yet.')
    return this.#login
  }

  get capabilities(): number {
    return this.#login?.capabilities ?? 0
  }

  /** Until the connection has ended. Rejects never. */
  async serve(): Promise<void> {
    try {
      await this.#enter()
      await this.#serveCommands()
      this.transport.end()
    } catch (error) {
      this.#endWith(error)
    }
  }

  /** Sends a packet, and gives the next one of the client. */
  ask(payload: Buffer): Promise<Buffer> {
    const { writer, reader } = this.transport
    writer.packet(payload)
    writer.flush()
    return reader.next()
  }

  send(message: ToServer): void {
    this.#isKnownToServer = true
    if (this.#ungranted > 0) this.#host.send({ kind: 'granted', client: this.number, bytes: this.#ungranted })
    this.#ungranted = 0
    this.#host.send(message)
  }

  /** Rows have left. While no command is answered, nobody waits for that: it is said with the next one. */
  granted(bytes: number): void {
    if (this.isIdle) this.#ungranted += bytes
    else this.send({ kind: 'granted', client: this.number, bytes })
  }

  /** Gives how many bytes it counts for in the window. */
  sendFile(bytes: Uint8Array): number {
    return this.#host.sendFile(this.number, bytes)
  }

  /** The next answer. While there is none, the client gets what was written so far. */
  nextAnswer(): Promise<Answer> {
    if (this.#inbox.isEmpty) this.transport.writer.flush()
    return this.#inbox.next()
  }

  async answer<Kind extends Answer['kind']>(...kinds: Kind[]): Promise<AnswerOf<Kind>> {
    const answer = await this.nextAnswer()
    if (kinds.some((kind) => kind === answer.kind)) return answer as AnswerOf<Kind>
    throw new Error(`The server answered with '${answer.kind}' instead of ${kinds.join(' or ')}.`)
  }

  /** When not much of what was written is still here. */
  drained(): Promise<void> {
    this.transport.writer.flush()
    return this.transport.drained()
  }

  receive(answer: Answer): void {
    this.#inbox.put(answer)
  }

  receiveRows(batch: RowBatch, bytes: number): void {
    this.#inbox.put({ kind: 'rows', batch, bytes })
  }

  /** An OK packet with what has changed in the session. */
  sendOk(fields: Omit<OkFields, 'status' | 'changes'>, session: SessionState, status = 0): void {
    this.transport.writer.packet(okPacket({ ...fields, ...this.moveTo(session, status) }, this.capabilities))
  }

  sendError(error: SqlError): void {
    this.transport.writer.packet(errorPacket(error, this.#session))
  }

  /** From now on this is the state of the session. Gives what an answer says of it. */
  moveTo(session: SessionState, status = 0): Pick<OkFields, 'status' | 'changes'> {
    const before = this.#session ?? session
    this.#session = session
    const tracks = (this.capabilities & CAN.sessionTrack) !== 0
    return { status: statusOf(session) | status, changes: tracks ? sessionChanges(before, session) : null }
  }

  /** COM_CHANGE_USER: all that the connection had is gone. Who does not prove who they are is not who they were either. */
  async changeUser(login: Login): Promise<void> {
    const tooSlow = setTimeout(() => this.transport.destroy(), this.settings.signInMs)
    const { answer, nonce } = await signIn(this, login, this.#nonce)
      .catch((error: unknown) => {
        const isRefusal = error instanceof ProtocolError && !(error instanceof FatalProtocolError)
        throw isRefusal ? new FatalProtocolError('bad-handshake', error) : error
      })
      .finally(() => clearTimeout(tooSlow))
    this.statements.clear()
    this.#nonce = nonce
    this.#login = login
    this.#session = null
    this.sendOk({}, answer.session)
  }

  hangUp(error: SqlError): void {
    this.fail(new HungUp(error))
    // It may be in the middle of rows that its client does not read.
    this.transport.cutOffSoon()
  }

  /** The socket is closed. */
  gone(): void {
    this.fail(new ClientGone())
    this.statements.clear()
    if (this.#isKnownToServer) this.#host.send({ kind: 'gone', client: this.number })
  }

  fail(error: Error): void {
    this.#inbox.fail(error)
    this.fileWindow.fail(error)
    this.transport.reader.fail(error)
  }

  async #enter(): Promise<void> {
    const { login, answer, nonce } = await handshake(this)
    this.#login = login
    this.#nonce = nonce
    this.allowsSeveral = (login.capabilities & CAN.multiStatements) !== 0
    this.sendOk({}, answer.session)
    this.transport.writer.flush()
    const compression = compressionOf(login.capabilities)
    if (compression) this.transport.compress(compression)
    this.transport.reader.mostBytes = this.mostCommandBytes
    this.#host.signedIn(this)
  }

  async #serveCommands(): Promise<void> {
    while (!this.#host.isStopping) {
      this.transport.startCommand()
      this.#isBusy = false
      const packet = await this.transport.reader.next()
      this.#isBusy = true
      if (packet[0] === COMMAND.quit) return
      this.#host.commandStarted()
      await this.#serveCommand(packet)
      // Who takes no answers gets no more of them.
      await this.drained()
      // Commands that were sent ahead leave others their turn: a million of them may come in one compressed packet.
      if (this.transport.reader.hasMore) await nextTurn()
    }
  }

  async #serveCommand(packet: Buffer): Promise<void> {
    try {
      await dispatch(this, packet)
    } catch (error) {
      if (!(error instanceof ProtocolError) || error instanceof FatalProtocolError) throw error
      this.sendError(error)
    }
  }

  #endWith(error: unknown): void {
    if (error instanceof FatalProtocolError) {
      this.#host.refused(error.cause)
      this.sendError(error)
    } else if (error instanceof ProtocolError) {
      this.#host.refused('bad-packet')
      this.sendError(error)
    } else if (error instanceof HungUp) {
      if (this.#isBusy) this.sendError(error.error)
    } else if (error instanceof ClientGone) {
      if (!this.isSignedIn) this.#host.refused('closed-early')
      return
    } else {
      this.#host.refused('unexpected')
      this.sendError({ code: 1105, sqlState: 'HY000', message: 'An unexpected failure of the MySQL door.' })
    }
    this.transport.end()
  }
}
