import { LIMITS } from '@boathouse/contract'
import { backquoteIdentifier, likeMatcher } from '@boathouse/sql'
import { AppError } from '../../kernel/app-error.ts'
import { whyBlocked } from '../../kernel/client-address.ts'
import type { Log } from '../../kernel/log.ts'
import type { StatementAnswer } from '../../modules/query/answers/answer.ts'
import type { ClientConnection } from '../../modules/query/connections/client-connection.ts'
import { readDatabase } from './database-name.ts'
import { accessDenied, EMPTY_TEXT, KILLED, sqlErrorFor } from './door-errors.ts'
import { sqlErrorOf } from './errors.ts'
import { isLoadData, type LoadFile } from './file-loads.ts'
import type { Link } from './link/frames.ts'
import type { SqlError, ToDoor, ToServer } from './link/messages.ts'
import { LocalFile } from './local-file.ts'
import { outcomeOf, type StatementOutcome } from './outcome.ts'
import { RowWindow } from './row-window.ts'
import { SessionWatch } from './session-state.ts'
import { parameterOf } from './sent-parameters.ts'
import { isAboutKeys, withEscapedZeros, withoutViewOptions } from './sent-text.ts'
import type { SignedInClient, SignInClient } from './sign-in.ts'
import { withWrittenValues } from './written-values.ts'

/** What a client asks for. */
export type Command = Exclude<
  Extract<ToServer, { readonly client: number }>,
  { readonly kind: 'granted' | 'gone' | 'file-sent' }
>
type Asked<K extends Command['kind']> = Extract<Command, { readonly kind: K }>

export interface ClientParts {
  readonly link: Pick<Link<ToDoor, ToServer>, 'send' | 'sendRows'>
  readonly signIn: SignInClient
  readonly loadFile: LoadFile
  /** What COM_STATISTICS says to somebody of this account. */
  readonly statisticsOf: (accountId: string) => string
  readonly countStatement: (state: 'finished' | 'failed') => void
  readonly log: Log
}

/** After these somebody may not be here any more. */
const SENT_AWAY: ReadonlySet<string> = new Set([
  'LoginRequired',
  'IpBlocked',
  'AccountFrozen',
  'ConnectionLost',
])

/** As long as a text of the console. */
function requireShort(sql: string): void {
  if (sql.length > LIMITS.sqlLength)
    throw new AppError(
      'TooLarge',
      `This text has ${sql.length} characters. The maximum is ${LIMITS.sqlLength}: send it in parts.`,
    )
}

type Open = SignedInClient & { readonly watch: SessionWatch }

/** One client of the door, from its sign-in until its socket is closed. It sends one command at a time. */
export class DoorClient {
  readonly #number: number
  readonly #parts: ClientParts
  readonly #rows: RowWindow
  #open: Open | null = null
  /** The last one that it was asked for, or is to be. */
  #file: LocalFile | null = null
  /** It is gone, or has been sent away: nothing more is said to it. */
  #isOver = false
  #questions = 0

  constructor(number: number, parts: ClientParts) {
    this.#number = number
    this.#parts = parts
    const { link } = parts
    this.#rows = new RowWindow({
      sendColumns: (columns) => this.#send({ kind: 'columns', client: number, columns }),
      sendRows: (batch) => link.sendRows(number, batch),
    })
  }

  get accountId(): string | null {
    return this.#open?.identity.known.accountId ?? null
  }

  get keyId(): string | undefined {
    return this.#open?.identity.known.key?.keyId
  }

  get questions(): number {
    return this.#questions
  }

  /** Never rejects: what fails is answered. */
  async receive(command: Command): Promise<void> {
    try {
      await this.#answer(command)
    } catch (error) {
      this.#refuse(error)
    }
  }

  granted(bytes: number): void {
    this.#rows.granted(bytes)
  }

  fileReceived(bytes: Uint8Array): void {
    this.#file?.received(bytes)
  }

  fileSent(error: string | null): void {
    this.#file?.sent(error)
  }

  /** Its socket is closed: what runs is stopped, and its place is given to others. */
  async gone(): Promise<void> {
    this.#isOver = true
    this.#rows.close()
    this.#file?.gone()
    await this.#leave()
  }

  /** Resolves when what ran has stopped. */
  sendAway(error: SqlError): Promise<void> {
    this.#send({ kind: 'hang-up', client: this.#number, error })
    return this.gone()
  }

  /** Who is not the same any more, or may not be here, is sent away. */
  async check(): Promise<void> {
    try {
      await this.#open?.identity.now()
    } catch (error) {
      if (error instanceof AppError) await this.sendAway(sqlErrorFor(error))
      else throw error
    }
  }

  /** The firewall of their account has changed. */
  requireAddress(letsIn: (address: string) => boolean): void {
    if (!this.#open || letsIn(this.#open.address)) return
    const message = whyBlocked(this.#open.address)
    void this.sendAway(sqlErrorOf({ code: 'IpBlocked', message }))
  }

  async #answer(command: Command): Promise<void> {
    if (command.kind === 'sign-in') return this.#signIn(command)
    const open = this.#open
    if (!open) throw new AppError('LoginRequired', 'Nobody has signed in.')
    const { connection } = open
    switch (command.kind) {
      case 'run':
        return this.#run(open, command)
      case 'kill':
        return this.#run(open, { sql: `KILL CONNECTION ${command.connection}`, allowsSeveral: false })
      case 'describe': {
        requireShort(command.sql)
        const { columns, parameters } = await connection.describe(command.sql)
        return this.#described(columns, parameters.length)
      }
      case 'list-fields':
        return this.#listFields(connection, command)
      case 'enter':
        await connection.moveTo(readDatabase(command.database))
        return this.#done(open)
      case 'reset':
        await connection.reset()
        return this.#done(open)
      case 'statistics': {
        const text = this.#parts.statisticsOf(open.identity.known.accountId)
        return this.#send({ kind: 'statistics', client: this.#number, text })
      }
    }
  }

  async #signIn(asked: Asked<'sign-in'>): Promise<void> {
    await this.#leave()
    const signedIn = await this.#parts.signIn(asked).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'LoginFailed') throw error
      this.#send({ kind: 'refused', client: this.#number, error: accessDenied(asked.user, asked.address) })
      return undefined
    })
    if (signedIn === undefined) return
    if (!signedIn) return this.#send({ kind: 'password-needed', client: this.#number })
    const { connection } = signedIn
    if (this.#isOver) return connection.close()
    const watch = new SessionWatch(await connection.settings())
    this.#open = { ...signedIn, watch }
    connection.closed.addEventListener('abort', () => {
      if (this.#open?.connection === connection) void this.sendAway(KILLED)
    })
    const client = this.#number
    this.#send({ kind: 'signed-in', client, connection: connection.id, session: watch.state })
  }

  async #run(
    open: Open,
    { sql, parameters, allowsSeveral }: Pick<Asked<'run'>, 'sql' | 'parameters' | 'allowsSeveral'>,
  ): Promise<void> {
    this.#questions++
    requireShort(sql)
    if (isAboutKeys(sql)) return this.#done(open)
    const { connection, watch } = open
    const { isWithoutBackslash } = watch.state
    const sent = withoutViewOptions(isWithoutBackslash ? sql : withEscapedZeros(sql))
    if (!parameters && isLoadData(sent)) return this.#load(open, sent)
    const written = parameters ? withWrittenValues(sent, parameters, isWithoutBackslash) : null
    const text = written ?? sent
    let isAnswered = false
    // A command with parameters, also with none of them, is answered in another form.
    this.#rows.takesPacked = !parameters
    const ran = connection.run(text, {
      ...(parameters && written === null && { parameters: parameters.map(parameterOf) }),
      isSingle: !allowsSeveral,
      sink: this.#rows,
      onAnswer: (answer) => {
        // Behind the first that failed are those that did not run.
        if (answer.state === 'running' || isAnswered) return
        isAnswered = answer.state === 'failed' || answer.index === answer.count - 1
        const outcome = outcomeOf(answer, text.slice(answer.start, answer.end))
        if (!isAnswered) this.#ended(outcome, watch.state, false)
        else void this.#lastEnded(answer, outcome, { connection, watch })
      },
    })
    await ran.catch((error: unknown) => {
      if (!isAnswered) throw error
      // The client waits for nothing more, and this belongs to no other command.
      this.#parts.log.error({ err: error }, 'the end of a statement of a MySQL client was not written')
    })
    if (!isAnswered) this.#send({ kind: 'refused', client: this.#number, error: EMPTY_TEXT })
  }

  async #load({ connection, watch }: Open, text: string): Promise<void> {
    const client = this.#number
    const file = new LocalFile({
      ask: (name) => this.#send({ kind: 'file-wanted', client, name }),
      grant: (bytes) => this.#send({ kind: 'file-granted', client, bytes }),
    })
    this.#file = file
    const outcome = await this.#parts.loadFile(connection, text, file)
    const settings = await connection.settings().catch(() => null)
    this.#ended(outcome, settings ? watch.moved(settings) : watch.state, true)
  }

  /** Before its end is written to the history: the next statement of the connection waits for that where it has to. */
  async #lastEnded(
    answer: StatementAnswer,
    outcome: StatementOutcome,
    { connection, watch }: Pick<Open, 'connection' | 'watch'>,
  ): Promise<void> {
    if (SENT_AWAY.has(answer.code)) return this.sendAway(sqlErrorOf(answer))
    // A connection that was closed meanwhile has nothing more to say of itself.
    const settings = await connection.settings().catch(() => null)
    this.#ended(outcome, settings ? watch.moved(settings) : watch.state, true)
  }

  #ended(outcome: StatementOutcome, session: SessionWatch['state'], isLast: boolean): void {
    this.#parts.countStatement(outcome.error ? 'failed' : 'finished')
    this.#send({ kind: 'ended', client: this.#number, isLast, ...outcome, session })
  }

  async #done({ connection, watch }: Open): Promise<void> {
    const session = watch.moved(await connection.settings())
    this.#send({
      kind: 'ended',
      client: this.#number,
      isLast: true,
      error: null,
      affectedRows: 0,
      lastInsertId: 0,
      warnings: 0,
      info: '',
      session,
    })
  }

  #described(columns: Extract<ToDoor, { kind: 'described' }>['columns'], parameters: number): void {
    this.#send({ kind: 'described', client: this.#number, columns, parameters })
  }

  async #listFields(connection: ClientConnection, { table, like }: Asked<'list-fields'>): Promise<void> {
    const { columns } = await connection.describe(`SELECT * FROM ${backquoteIdentifier(table)}`)
    const matches = likeMatcher(like || undefined)
    this.#described(columns?.filter(({ name }) => matches(name)) ?? [], 0)
  }

  async #leave(): Promise<void> {
    const open = this.#open
    this.#open = null
    await open?.connection
      .close()
      .catch((error: unknown) => this.#parts.log.warn({ err: error }, 'a MySQL connection was not closed'))
  }

  #refuse(error: unknown): void {
    if (!(error instanceof AppError))
      this.#parts.log.error({ err: error }, 'a MySQL client was not answered for a reason not foreseen')
    if (this.#open && error instanceof AppError && SENT_AWAY.has(error.code))
      return void this.sendAway(sqlErrorFor(error))
    this.#send({ kind: 'refused', client: this.#number, error: sqlErrorFor(error) })
  }

  #send(message: ToDoor): void {
    if (!this.#isOver) this.#parts.link.send(message)
  }
}
