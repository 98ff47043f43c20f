import { randomUUID } from 'node:crypto'
import type { BoundValues } from '@boathouse/contract'
import { backquoteIdentifier, type Quotes, STATEMENT_KINDS } from '@boathouse/sql'
import { NOTHING_TO_LOSE } from '../../../engines/engine/session.ts'
import type { RowSink } from '../../../engines/engine/sink.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { LiveRequests } from '../accepting/live-requests.ts'
import type { StatementAnswer } from '../answers/answer.ts'
import type { Listener } from '../answers/request-answers.ts'
import type { Requester } from '../requester.ts'
import type { Connection } from '../sessions/connection.ts'
import type { Connections } from '../sessions/connections.ts'
import type { EngineSessions } from '../sessions/engine-sessions.ts'
import type { ParameterValue } from '../sessions/parameters.ts'
import { actorIn } from '../sessions/session-roles.ts'
import { refusedAsReadOnly } from '../sessions/client-variables.ts'
import { cameByMysql } from '../sessions/door-variables.ts'
import type { Warning } from '../sessions/warning.ts'
import type { Warnings } from '../sessions/warnings.ts'
import { quotesOf, valueOf, variablesOf } from '../sessions/session-variables.ts'
import type { ConnectionCalls } from './connection-calls.ts'
import { type DescribingParts, type Description, describe } from './describing.ts'
import type { Origin } from './origin.ts'

export type ClientParts = DescribingParts & {
  readonly live: Pick<LiveRequests, 'begin' | 'exclusively' | 'ofConnection'>
  readonly connections: Pick<Connections, 'resolve' | 'move'>
  readonly sessions: Pick<EngineSessions, 'close' | 'rollBack'>
  readonly warnings: Pick<Warnings, 'leave'>
  readonly clock: Clock
  readonly calls: Pick<ConnectionCalls, 'setWarehouse' | 'killConnection'>
}

interface ClientOptions {
  readonly id: number
  readonly requester: Requester
  readonly origin: Origin
  /** Variables that it begins with, and has again after a reset. */
  readonly variables: Readonly<Record<string, string>>
  readonly closed: AbortSignal
}

/** What a connection has set; of the variables only those that differ from their defaults. */
export type ConnectionSettings = Pick<
  Connection,
  'catalog' | 'database' | 'warehouse' | 'warehouseId' | 'variables' | 'inTransaction'
>

/** What a connection has set, as it is now. */
export interface ConnectionState {
  readonly id: number
  readonly accountId: string
  readonly user: string
  /** The active roles, with those they inherit. */
  readonly roles: readonly string[]
  readonly catalog: string
  readonly database: string | null
  readonly warehouse: string
  /** All that SHOW VARIABLES lists. */
  readonly variables: Readonly<Record<string, string>>
  readonly inTransaction: boolean
}

export interface RunOptions {
  /** For a text of one statement. */
  readonly parameters?: readonly ParameterValue[]
  /** For parameters that have names. */
  readonly values?: BoundValues | undefined
  /** Refuses a text of several statements before any of them runs. */
  readonly isSingle?: boolean
  /**
   * Takes all rows of every statement that has a result: `begin` is called once for each of them, after the answer that
   * ended the statement before. Without it, rows come with the answers, up to the limits of the console.
   */
  readonly sink?: RowSink
  /** Called while statements run, and once for the end of each. */
  readonly onAnswer?: Listener
}

/** What loads rows for a client has to know of its connection. */
export interface LoadingFor {
  /** With the roles of its session. */
  readonly sender: Requester & Origin
  readonly place: Pick<Connection, 'catalog' | 'database' | 'warehouse'>
  /** What quotes mean in its texts. */
  readonly quotes: Quotes
  /** Aborted when it is to end. */
  readonly stop: AbortSignal
  /** For SHOW WARNINGS, in place of what the statement before has left. */
  leave(warnings: readonly Warning[]): void
}

const INSIDE_TRANSACTION =
  'A file is loaded in a transaction of its own. COMMIT or ROLLBACK the one that is open, then load it.'

/** Where to; what is missing stays as it is. */
export interface Move {
  readonly catalog?: string
  readonly database?: string
  readonly warehouse?: string
}

/**
 * A connection of one client, for whichever door it came through. Its statements pass the same gate, queue, history,
 * meter and limits as those of the console.
 */
export class ClientConnection {
  readonly id: number
  /** Aborted when it is closed, also by somebody else: then the client is to be sent away. */
  readonly closed: AbortSignal
  readonly #parts: ClientParts
  readonly #requester: Requester
  readonly #origin: Origin
  readonly #variables: Readonly<Record<string, string>>
  /** Aborted when what is done beside statements is to stop. */
  #beside: AbortController | null = null
  /** Texts that run or wait. */
  #underway = 0
  #usedAt: number
  /** Whether an open transaction may hold more than what was read in it. */
  #isAtStake = false

  constructor(parts: ClientParts, { id, requester, origin, variables, closed }: ClientOptions) {
    this.#parts = parts
    this.id = id
    this.closed = closed
    this.#requester = requester
    this.#origin = origin
    this.#variables = variables
    this.#usedAt = parts.clock.now().getTime()
  }

  /**
   * What it has set, for a door that says so after each statement: nobody is asked who its user is by now. The same object
   * until something changes.
   */
  settings(): Promise<ConnectionSettings> {
    return this.#connection(this.#requester.known)
  }

  /** Throws `ConnectionLost` when somebody has closed it. */
  async state(): Promise<ConnectionState> {
    const actor = await this.#requester.now()
    const connection = await this.#connection(actor)
    const { activeRoles } = await actorIn(connection, actor, this.#parts.privileges)
    const { catalog, database, warehouse, inTransaction } = connection
    return {
      id: this.id,
      accountId: actor.accountId,
      user: actor.user,
      roles: activeRoles,
      catalog,
      database,
      warehouse,
      variables: variablesOf(connection),
      inTransaction,
    }
  }

  /**
   * Runs the statements of a text, in order, after all that was sent before. Resolves with how each ended when the last
   * end is written; throws an `AppError` when the text is refused as a whole.
   */
  run(sql: string, options: RunOptions = {}): Promise<readonly StatementAnswer[]> {
    return this.#run(sql, options, false)
  }

  /** Says which columns and parameters a statement has, and runs nothing. */
  async describe(sql: string): Promise<Description> {
    const actor = await this.#requester.now()
    return this.#inTurn(actor, (connection, stop) => describe(this.#parts, { actor, connection, sql, stop }))
  }

  /**
   * Lets rows be loaded for this client that are not in a statement, in turn with its statements. They are stored in a
   * transaction of their own: an open one that has only read is ended, any other refuses.
   */
  async load<T>(work: (loading: LoadingFor) => Promise<T>): Promise<T> {
    const { known, now } = this.#requester
    const { privileges, warnings } = this.#parts
    return this.#inTurn(await now(), async (connection, stop) => {
      const refusal = refusedAsReadOnly({ kind: 'insert', class: 'writes' }, connection)
      if (refusal) throw new AppError(refusal.code, refusal.message, { detail: refusal.detail })
      if (connection.inTransaction) {
        if (this.#isAtStake)
          throw new AppError('QueryFailed', INSIDE_TRANSACTION, { detail: 'inside-transaction' })
        await this.#endTransaction()
      }
      const sender = {
        ...this.#origin,
        known,
        now: async (version?: number) => actorIn(connection, await now(version), privileges),
      }
      const leave = (left: readonly Warning[]) => warnings.leave(this.id, left)
      leave([])
      return work({ sender, place: connection, quotes: quotesOf(connection), stop, leave })
    })
  }

  /** Stops what is done beside statements, if it is of this user. */
  stopBeside({ userId }: Pick<Actor, 'userId'>): void {
    if (userId === this.#requester.known.userId) this.#beside?.abort()
  }

  /** Stops the running statement and those queued behind it; resolves when the engine has stopped. The connection stays. */
  async cancel(): Promise<void> {
    this.#beside?.abort()
    const requests = this.#parts.live.ofConnection(this.#requester.known, this.id)
    await Promise.all(requests.map((request) => request.cancel()))
  }

  /** As USE and SET WAREHOUSE do, with the same refusals, but not listed in the history. */
  async moveTo({ catalog, database, warehouse }: Move): Promise<void> {
    if (warehouse !== undefined)
      await this.#parts.calls.setWarehouse(await this.#requester.now(), this.id, warehouse)
    const path = [catalog, database].flatMap((name) =>
      name === undefined ? [] : [backquoteIdentifier(name)],
    )
    if (path.length === 0) return
    const sql = database === undefined ? `SET CATALOG ${path.join('.')}` : `USE ${path.join('.')}`
    const [moved] = await this.#run(sql, {}, true)
    if (moved && moved.code !== 'Ok') {
      const { code, message, errorDetail: detail } = moved
      throw new AppError(code, message, detail ? { detail } : {})
    }
  }

  /** Sets what its door decides and no statement of its client; until a reset. Nothing may run meanwhile. */
  async setVariables(variables: Readonly<Record<string, string>>): Promise<void> {
    await this.#parts.connections.move(this.id, { variables: { ...this.#variables, ...variables } })
  }

  /**
   * As new, in its place: variables, roles and prepared statements are forgotten, temporary objects dropped, and an open
   * transaction is rolled back. What runs is stopped first.
   */
  async reset(): Promise<void> {
    await this.cancel()
    const actor = await this.#requester.now()
    await this.#parts.live.exclusively(actor, this.id, async () => {
      await this.#connection(actor)
      // If the server ends between these two, the next statement is answered that the transaction was rolled back.
      await this.#parts.sessions.close(this.id)
      await this.#parts.connections.move(this.id, { variables: this.#variables, ...NOTHING_TO_LOSE })
    })
  }

  /**
   * Ends what a client of MySQL holds that has sent nothing for longer than its variables say: first an open transaction,
   * which others may have to wait for, then the connection.
   */
  async endIdle(): Promise<void> {
    if (this.#underway > 0) return
    const { known } = this.#requester
    const connection = await this.#connection(known).catch(() => null)
    if (!connection || !cameByMysql(connection)) return
    if (this.#isIdleFor(connection, 'wait_timeout')) return this.close()
    if (!connection.inTransaction || !this.#isIdleFor(connection, 'idle_transaction_timeout')) return
    await this.#parts.live.exclusively(known, this.id, async () => {
      // Something may have come meanwhile.
      if (this.#isIdleFor(connection, 'idle_transaction_timeout')) await this.#endTransaction()
    })
  }

  #isIdleFor(connection: Connection, variable: string): boolean {
    const idleMs = this.#parts.clock.now().getTime() - this.#usedAt
    return this.#underway === 0 && idleMs >= Number(valueOf(connection, variable)) * 1000
  }

  /** Of one that nobody has begun and that only read, nothing is lost. */
  async #endTransaction(): Promise<void> {
    const isLoss = this.#isAtStake
    await this.#parts.sessions.rollBack(this.id, { isLoss })
    if (!isLoss) await this.#parts.connections.move(this.id, { inTransaction: false })
  }

  /** Stops what runs and gives its place to others. */
  async close(): Promise<void> {
    await this.cancel()
    await this.#parts.calls.killConnection(this.#requester.known, this.id)
  }

  /** While it lasts, the connection is not idle. */
  async #using<T>(work: () => Promise<T>): Promise<T> {
    this.#underway++
    try {
      return await work()
    } finally {
      this.#underway--
      this.#usedAt = this.#parts.clock.now().getTime()
    }
  }

  /** Does something beside its statements, while none of them runs. */
  #inTurn<T>(actor: Actor, work: (connection: Connection, stop: AbortSignal) => Promise<T>): Promise<T> {
    return this.#using(() =>
      this.#parts.live.exclusively(actor, this.id, async () => {
        const stop = new AbortController()
        this.#beside = stop
        try {
          return await work(await this.#connection(actor), stop.signal)
        } finally {
          this.#beside = null
        }
      }),
    )
  }

  #note({ kind, state }: StatementAnswer): void {
    if (kind === undefined) return
    const hasEnded = state === 'finished' && (kind === 'commit' || kind === 'rollback')
    if (hasEnded) this.#isAtStake = false
    else this.#isAtStake ||= kind === 'begin' || STATEMENT_KINDS[kind] === 'writes'
  }

  #run(sql: string, options: RunOptions, isUnlisted: boolean): Promise<readonly StatementAnswer[]> {
    return this.#using(() => this.#runNow(sql, options, isUnlisted))
  }

  async #runNow(sql: string, options: RunOptions, isUnlisted: boolean): Promise<readonly StatementAnswer[]> {
    const ends: StatementAnswer[] = []
    const { ended } = this.#parts.live.begin(
      this.#requester,
      {
        ...this.#origin,
        requestId: randomUUID(),
        sql,
        values: options.values,
        connectionId: this.id,
        previousConnectionId: 0,
        clientId: '',
        ...(isUnlisted && { isUnlisted }),
      },
      {
        sink: options.sink,
        parameters: options.parameters,
        isSingle: options.isSingle,
        listener: (answer) => {
          if (answer.state !== 'running') {
            ends.push(answer)
            this.#note(answer)
          }
          options.onAnswer?.(answer)
        },
      },
    )
    await ended
    return ends
  }

  #connection(actor: Actor): Promise<Connection> {
    const request = { connectionId: this.id, previousConnectionId: 0, clientId: '' }
    return this.#parts.connections.resolve(actor, request)
  }
}
