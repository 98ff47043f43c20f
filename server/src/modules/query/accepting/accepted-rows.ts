import { type BoundValues, CONSOLE_MARKER } from '@boathouse/contract'
import { type StatementKind, withoutSecrets } from '@boathouse/sql'
import type { Outcome } from '../../../engines/engine/outcome.ts'
import type { FileOrder } from '../../../engines/engine/files.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { addressParts } from '../../../kernel/client-address.ts'
import { type AnalysedStatement, MOST_STATEMENTS } from '../analysis/analysed-text.ts'
import { NoStatement } from '../analysis/no-statement.ts'
import type { Refresh } from '../gate/authorize-statement.ts'
import type { Origin } from '../connections/origin.ts'
import { keptValues } from '../sessions/named-values.ts'
import type { Connection, ConnectionRequest } from '../sessions/connection.ts'
import { preparedIn, runsPrepared } from '../sessions/prepared.ts'
import type { NewStatement } from '../statement-row.ts'

export interface Submission extends ConnectionRequest, Origin {
  readonly requestId: string
  readonly sql: string
  /** For the parameters of its statements, by their names. */
  readonly values?: BoundValues | undefined
  /** All rows of what it selects are kept, for a file. */
  readonly inFull?: boolean
  /** The history does not list it: a client did not send it as a statement. */
  readonly isUnlisted?: boolean
  /** Of the service alone: what its statement uses is written down for every sender. No history lists it. */
  readonly notesUses?: boolean
  /** Of the service alone: its one statement refreshes a materialized view. */
  readonly refresh?: Refresh
  /** The service's own work on a file, of which the text only tells. */
  readonly file?: SubmittedFile
}

interface SubmittedFile {
  readonly order: FileOrder
  /** Called with the outcome of the engine, before the end is sent to anyone. */
  onOutcome(outcome: Outcome): void
}

/** Refuses a text of which nothing can be written down. */
export function requireStatements(sql: string, count: number): void {
  if (sql.includes('\0'))
    throw new AppError('BadInput', 'The text contains the character U+0000, which is not allowed. Remove it.')
  if (count === 0) throw new NoStatement()
  if (count > MOST_STATEMENTS)
    throw new AppError(
      'LimitReached',
      `The maximum is ${MOST_STATEMENTS} statements in one text; this one has ${count}.`,
    )
}

interface Accepted {
  readonly actor: Actor
  readonly connection: Connection
  readonly submission: Submission
  readonly statements: readonly {
    readonly queryId: string
    readonly statement: AnalysedStatement
  }[]
  readonly at: Date
  /** Nothing is before it on its connection. */
  readonly startsAtOnce: boolean
  /** The kind of engine that has an account's own data. */
  readonly homeEngine: string
}

/** Statements of the service that define something in an engine, which is the home engine whatever the warehouse. */
const DEFINES_AT_HOME: ReadonlySet<StatementKind> = new Set(['create-database', 'drop-database'])
/** Of those that only change the session, the ones that run in the engine of the warehouse. */
const SESSION_IN_ENGINE: ReadonlySet<StatementKind> = new Set([
  'begin',
  'commit',
  'rollback',
  'execute',
  'set-user-variable',
])

/** The kind of engine that is to run it; null: none is. It is written before the statement runs. */
export function engineFor(
  { kind, class: kindClass }: Pick<AnalysedStatement, 'kind' | 'class'>,
  { engine }: Pick<Connection, 'engine'>,
  homeEngine: string,
): string | null {
  if (DEFINES_AT_HOME.has(kind)) return homeEngine
  const runsInEngine = kindClass === 'reads' || kindClass === 'writes' || SESSION_IN_ENGINE.has(kind)
  return runsInEngine ? engine : null
}

/** Whether the engine remembers the statement's id together with what it does, so that its effect is known later. */
const isMarked = ({ kind, class: kindClass }: Pick<AnalysedStatement, 'kind' | 'class'>): boolean =>
  kindClass === 'writes' || kind === 'commit' || DEFINES_AT_HOME.has(kind)

/** Of an EXECUTE it is what was prepared that counts, which requests before it on its connection may still change. */
function markedOnes({ connection, statements, startsAtOnce }: Accepted): readonly boolean[] {
  const executed = preparedIn(connection)
  return statements.map(({ statement }) => {
    const performed = executed(statement)
    if (!runsPrepared(statement)) return isMarked(statement)
    return !startsAtOnce || performed === null || isMarked(performed)
  })
}

/** What the console sends automatically. Nothing else can be hidden from the history. */
const OF_CONSOLE = new Set<StatementKind>([
  'show-variables',
  'set-warehouse',
  'use-database',
  'set-catalog',
  'set-sql-select-limit',
])

/** EDITOR-41: the marker is behind the first word. */
function isOfConsole({ kind, text, start, tokens, first }: AnalysedStatement): boolean {
  if (!OF_CONSOLE.has(kind)) return false
  const behindFirst = text.slice((tokens.ends[first] ?? 0) - start)
  return behindFirst.trimStart().startsWith(CONSOLE_MARKER)
}

/** What the service reads itself may hold a password. */
export const keptText = (statement: AnalysedStatement): string =>
  statement.class === 'service' || statement.class === 'session' || statement.class === 'forbidden'
    ? withoutSecrets(statement)
    : statement.text

/** A request as it is written down before anything of it runs: a row for each of its statements. */
export function acceptedRows(accepted: Accepted): NewStatement[] {
  const { actor, connection, submission, statements, at, startsAtOnce, homeEngine } = accepted
  const marked = markedOnes(accepted)
  const { ip, endpoint } = addressParts(submission.clientIp)
  return statements.map(({ queryId, statement }, index) => ({
    query_id: queryId,
    account_id: actor.accountId,
    user_id: actor.userId,
    user_name: actor.user,
    visible: !submission.notesUses && !submission.isUnlisted && !isOfConsole(statement),
    writes: marked[index] ?? true,
    connection_id: connection.id,
    request_id: submission.requestId,
    statement_index: index,
    statement_count: statements.length,
    door: submission.door,
    client_ip: ip,
    private_endpoint: endpoint,
    program: submission.program ?? null,
    key_name: actor.key?.name ?? null,
    warehouse_id: connection.warehouseId,
    warehouse: connection.warehouse,
    engine: engineFor(statement, connection, homeEngine),
    catalog: connection.catalog,
    database_name: connection.database,
    sql: keptText(statement),
    bound_values: keptValues(statement, submission.values),
    kind: statement.kind,
    // Then no second write is needed to say that it has started.
    state: index === 0 && startsAtOnce ? 'running' : 'accepted',
    accepted_at: at,
    started_at: index === 0 && startsAtOnce ? at : null,
  }))
}
