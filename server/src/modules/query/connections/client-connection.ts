import { randomUUID } from 'node:crypto'
import { quoteIdentifier } from '@boathouse/sql'
import { NOTHING_TO_LOSE } from '../../../engines/engine/session.ts'
import type { RowSink } from '../../../engines/engine/sink.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { LiveRequests } from '../accepting/live-requests.ts'
import type { StatementAnswer } from '../answers/answer.ts'
import type { Listener } from '../answers/request-answers.ts'
import type { Requester } from '../requester.ts'
import type { Connection } from '../sessions/connection.ts'
import type { Connections } from '../sessions/connections.ts'
import type { EngineSessions } from '../sessions/engine-sessions.ts'
import type { ParameterValue } from '../sessions/parameters.ts'
import { actorIn } from '../sessions/session-roles.ts'
import { variablesOf } from '../sessions/session-variables.ts'
import type { ConnectionCalls } from './connection-calls.ts'
import { type DescribingParts, type Description, describe } from './describing.ts'
import type { Origin } from './origin.ts'

export type ClientParts = DescribingParts & {
  readonly live: Pick<LiveRequests, 'begin' | 'exclusively' | 'ofConnection'>
  readonly connections: Pick<Connections, 'resolve' | 'move'>
  readonly sessions: Pick<EngineSessions, 'close'>
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
  'catalog' | 'database' | 'warehouse' | 'variables' | 'inTransaction'
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
  /** Aborted when what is described now is to stop. */
  #describing: AbortController | null = null

  constructor(parts: ClientParts, { id, requester, origin, variables, closed }: ClientOptions) {
    this.#parts = parts
    this.id = id
    this.closed = closed
    this.#requester = requester
    this.#origin = origin
    this.#variables = variables
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
    return this.#parts.live.exclusively(actor, this.id, async () => {
      const stop = new AbortController()
      this.#describing = stop
      try {
        const connection = await this.#connection(actor)
        return await describe(this.#parts, { actor, connection, sql, stop: stop.signal })
      } finally {
        this.#describing = null
      }
    })
  }

  /** Stops what runs and what waits behind it; resolves when the engine has let go of it. The connection stays. */
  async cancel(): Promise<void> {
    this.#describing?.abort()
    const requests = this.#parts.live.ofConnection(this.#requester.known, this.id)
    await Promise.all(requests.map((request) => request.cancel()))
  }

  /** As USE and SET WAREHOUSE do, with the same refusals, but not listed in the history. */
  async moveTo({ catalog, database, warehouse }: Move): Promise<void> {
    if (warehouse !== undefined)
      await this.#parts.calls.setWarehouse(await this.#requester.now(), this.id, warehouse)
    const path = [catalog, database].flatMap((name) => (name === undefined ? [] : [quoteIdentifier(name)]))
    if (path.length === 0) return
    const sql = database === undefined ? `SET CATALOG ${path.join('.')}` : `USE ${path.join('.')}`
    const [moved] = await this.#run(sql, {}, true)
    if (moved && moved.code !== 'Ok') throw new AppError(moved.code, moved.message)
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

  /** Stops what runs and gives its place to others. */
  async close(): Promise<void> {
    await this.cancel()
    await this.#parts.calls.killConnection(this.#requester.known, this.id)
  }

  async #run(sql: string, options: RunOptions, isUnlisted: boolean): Promise<readonly StatementAnswer[]> {
    const ends: StatementAnswer[] = []
    const { ended } = this.#parts.live.begin(
      this.#requester,
      {
        ...this.#origin,
        requestId: randomUUID(),
        sql,
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
          if (answer.state !== 'running') ends.push(answer)
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
