import { LIMITS, type WarehouseSize } from '@boathouse/contract'
import type { StatementKind } from '@boathouse/sql'
import type { Engine, UseEngine } from '../../../engines/engine/engine.ts'
import type { ExecuteOptions, Purpose, QueryRun } from '../../../engines/engine/run.ts'
import type { FileOrder } from '../../../engines/engine/files.ts'
import type { Authorize, ObjectName } from '../../../engines/engine/objects.ts'
import type { SystemRows } from '../../../engines/engine/system-tables.ts'
import type { Written } from '../../../engines/engine/written.ts'
import type { Actor } from '../../../kernel/actor.ts'
import type { Connection } from '../sessions/connection.ts'
import { authorizeStatement, type Privileges, type Refresh } from '../gate/authorize-statement.ts'
import { runAsFirst } from './begun-transaction.ts'
import { type Ending, failed, withError } from './ending.ts'
import { LONGEST_PLAN, withPlan } from './explained.ts'
import { runUpToTwice, type SecondRuns } from './second-run.ts'
import { runInSession, type SessionRunner } from '../sessions/session-run.ts'
import type { WatchedSink } from './watched-sink.ts'
import { rolesText } from '../sessions/session-roles.ts'
import { keptRowsOf, settingsOf, shownRowsOf } from '../sessions/session-variables.ts'

/** The right to run in a warehouse, and what it is. */
interface WarehouseLease {
  readonly engine: Engine
  /** Of its provider. */
  readonly engineId: string
  readonly warehouse: { readonly name: string; readonly size: WarehouseSize }
  /** Aborted, with the error to answer, when the warehouse ends before the statement does. */
  readonly evicted: AbortSignal
  /** Lets another statement run while this one waits for its client; gives the way back. */
  lend(): () => void
  release(): void
}

interface Admission {
  admit(
    actor: Actor,
    warehouse: { id: string | null; name: string },
    applicant: { queryId: string; onQueued(place: number): void; signal: AbortSignal },
  ): Promise<WarehouseLease>
}

export interface EngineStatement {
  readonly actor: Actor
  readonly connection: Connection
  readonly queryId: string
  /** As its user wrote it. */
  readonly sql: string
  readonly written: Written
  readonly kind: StatementKind
  readonly draws: boolean
  readonly purpose: Purpose
  /** It is the first of a transaction that its user has not begun, because autocommit is off. */
  readonly begins: boolean
  /** Whether its user wants to see how it really ran. */
  readonly wantsProfile: boolean
  /** All its rows are wanted, for a file, whatever the limit of its connection. */
  readonly inFull: boolean
  /** What it uses is written down for every sender: the service asks, and nobody pays for it. */
  readonly notesUses: boolean
  /** What is to be done with a file that was handed to the service; null: it is a statement as any other. */
  readonly file: FileOrder | null
  /** Its one value, with its type, is for the service, whole up to so many characters; nothing of it is kept. */
  readonly forService?: { readonly longestCell: number }
  /** Takes its rows as they come, all of them; nothing is kept then. */
  readonly sink?: WatchedSink | undefined
  /** Rows of the service that it reads. They are as of now, and not kept. */
  readonly system: SystemRows | null
  /** Of the service's own statements, the one that refreshes a materialized view. */
  readonly refresh?: Refresh | undefined
  /** Aborted when the user stops it. */
  readonly stop: AbortSignal
  onQueued(place: number): void
  /** It has its slot, in an engine of this kind. Nothing is run before this is done. */
  onAdmitted(engineId: string): Promise<void>
  /** Called with the run while it lasts, for its progress, and with null at its end. */
  onRun(run: QueryRun | null): void
}

export interface StatementRunner extends SessionRunner {
  readonly privileges: Privileges
  readonly useServiceEngine: UseEngine
  readonly admission: Admission
  readonly secondRuns: SecondRuns
  readonly writeWatch: {
    /** Before a statement of this connection runs that writes to these. */
    begins(accountId: string, connectionId: number, written: readonly ObjectName[]): Promise<void>
  }
}

const NO_PLANS = 'EXPLAIN is not available: the engine of this warehouse has no plans.'
const NO_FORMAT = 'The engine of this warehouse cannot load files of this format.'
const NO_FILES =
  'The engine of this warehouse loads no files or streams. Insert the rows with INSERT, or load them with a warehouse of the embedded engine into one of its tables.'
const STREAMS_ONLY =
  'The engine of this warehouse loads streams and no files. Send the file as a stream load, or load it with a warehouse of the embedded engine into one of its tables.'
const NO_PROFILES = 'There is no profile: the engine of this warehouse does not support profiles.'

function whyNotRead({ files }: Pick<Engine, 'files'>, { does, reading }: FileOrder): string | null {
  if (!files) return NO_FILES
  if (files.does && !files.does.has(does)) return STREAMS_ONLY
  return files.formats.includes(reading.format) ? null : NO_FORMAT
}

const lacksSetting = (name: string): string =>
  `The engine of this warehouse does not have the setting ${name}. Run SET ${name} = DEFAULT, or use another warehouse.`

const NEVER = new AbortController().signal

/** Runs one statement: a slot in the warehouse, a session in its engine, then the run. */
export const runInWarehouse = (runner: StatementRunner, statement: EngineStatement): Promise<Ending> =>
  runUpToTwice(runner.secondRuns, statement, () => runOnce(runner, statement))

async function runOnce(runner: StatementRunner, statement: EngineStatement): Promise<Ending> {
  const { actor, connection, stop } = statement
  if (statement.notesUses)
    return runner.useServiceEngine(actor.accountId, (engine) =>
      runWithLease(runner, statement, { engine, evicted: NEVER }),
    )
  const chosen = { id: connection.warehouseId, name: connection.warehouse }
  const lease = await runner.admission.admit(actor, chosen, {
    queryId: statement.queryId,
    onQueued: (place) => statement.onQueued(place),
    signal: stop,
  })
  if (statement.sink) statement.sink.lend = () => lease.lend()
  try {
    await statement.onAdmitted(lease.engineId)
    return { ...(await runWithLease(runner, statement, lease)), engineId: lease.engineId }
  } finally {
    lease.release()
  }
}

const IN_FULL = { maxRows: LIMITS.exportRows, maxBytes: LIMITS.exportBytes }

const keptOf = (connection: Connection) => ({
  maxRows: keptRowsOf(connection),
  maxBytes: LIMITS.keptBytes,
})

function keepOf({ connection, purpose, inFull, forService, sink, system, file }: EngineStatement) {
  if (purpose !== 'reads' || forService || sink || system || file) return null
  return inFull ? IN_FULL : keptOf(connection)
}

const longestCellOf = ({ kind }: EngineStatement): number =>
  kind === 'explain' ? LONGEST_PLAN : LIMITS.cellLength

const optionsOf = (
  statement: EngineStatement,
  { profiling }: Engine,
  authorize: Authorize,
): ExecuteOptions => ({
  takenFor: statement.purpose,
  written: statement.written,
  authorize,
  roles: rolesText(statement.actor),
  settings: settingsOf(statement.connection),
  maxRows: statement.forService ? 1 : shownRowsOf(statement.connection),
  longestCell: statement.forService?.longestCell ?? longestCellOf(statement),
  queryId: statement.queryId,
  keep: keepOf(statement),
  system: statement.system,
  file: statement.file,
  sink: statement.sink ?? null,
  profile: statement.wantsProfile ? profiling : null,
})

async function runWithLease(
  runner: StatementRunner,
  statement: EngineStatement,
  lease: Pick<WarehouseLease, 'engine' | 'evicted'>,
): Promise<Ending> {
  const { actor, connection, stop, wantsProfile } = statement
  const { engine } = lease
  const sql = textFor(engine, statement)
  if (sql === null) return failed('QueryFailed', NO_PLANS, 0)
  // What a door begins with is had where the engine has it; what somebody has set is required.
  const lacking = Object.keys(settingsOf(connection).chosen).find(
    (name) => Object.hasOwn(connection.variables, name) && !engine.dialect.settings.has(name),
  )
  if (lacking) return failed('QueryFailed', lacksSetting(lacking))
  const unread = statement.file && whyNotRead(engine, statement.file)
  if (unread) return failed('QueryFailed', unread)
  const { accountId } = actor
  const { authorize, needed, hasDenied } = authorizeStatement(actor, runner.privileges, {
    views: await runner.privileges.materialized(accountId),
    writes: statement.purpose === 'writes',
    refresh: statement.refresh,
    notesUses: statement.notesUses,
    onWrites: (written) => runner.writeWatch.begins(accountId, connection.id, written),
  })
  const ran = await (statement.begins ? runAsFirst : runInSession)(runner, engine, {
    accountId,
    user: actor.user,
    connection,
    part: 'user',
    sql,
    kind: statement.kind,
    draws: statement.draws,
    options: optionsOf(statement, engine, authorize),
    stop,
    evicted: lease.evicted,
    onRun: (run) => statement.onRun(run),
  })
  const ending = statement.forService ? withoutLead(ran, engine) : ran
  const lacksProfile = wantsProfile && !engine.profiling && ending.state === 'finished'
  const notice = [ending.notice, lacksProfile ? NO_PROFILES : ''].filter(Boolean).join(' ')
  // An engine ends what was denied as something that it never does; here it is known to be for want of a privilege.
  const isDenied = ending.state === 'failed' && ending.error?.kind === 'permission' && hasDenied()
  const answered = isDenied ? withError(ending, { code: 'NoPermission' }) : ending
  const { changed, ...rest } = answered
  // Grants on a materialized view outlive its refreshes.
  const kept = changed && !statement.refresh?.view ? { changed } : {}
  const ended = { ...rest, ...kept, notice, needed: needed() }
  return statement.kind === 'explain' ? withPlan(ended) : ended
}

/** What the engine is sent; null when it cannot do what is asked for. */
function textFor({ explain, dialect }: Engine, { kind, sql, forService }: EngineStatement): string | null {
  if (forService) return `${dialect.valueAndType.before}${sql}${dialect.valueAndType.after}`
  return kind === 'explain' ? (explain?.(sql) ?? null) : sql
}

/** With the place of its error in the statement, and not in what the engine's dialect has put around it. */
function withoutLead(ending: Ending, { dialect }: Engine): Ending {
  const offset = ending.error?.offset ?? null
  const { length } = dialect.valueAndType.before
  return offset === null ? ending : withError(ending, { offset: Math.max(0, offset - length) })
}
