import { DEFAULT_CATALOG, objectOf } from '@boathouse/contract'
import { readShow, rowMatcher, type Statement, unknownColumn } from '@boathouse/sql'
import type { QueryRun } from '../../../engines/engine/run.ts'
import type { ResultRows } from '../../../engines/engine/rows.ts'
import type { Engine, UseEngine } from '../../../engines/engine/engine.ts'
import { aborted } from '../../../kernel/aborted.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { isFirst } from '../../../kernel/first-catalog.ts'
import { EMPTY_RESULT } from '../answers/answer.ts'
import type { Privileges } from '../gate/authorize-statement.ts'
import type { Connection } from '../sessions/connection.ts'
import { cancelled, DidNotFinish, type Ending, failed, finished, withError } from './ending.ts'
import { runInSession, type SessionRunner } from '../sessions/session-run.ts'
import type { Answer, LookIn, SayTo, SessionTools } from '../sessions/session-tools.ts'
import { withPlace } from '../sessions/unreadable.ts'

/** Of a statement of ours, such as a list of tables. */
const MAX_OWN_ROWS = 100_000

export interface ServiceRunner extends SessionRunner {
  readonly useServiceEngine: UseEngine
  readonly privileges: Privileges
  readonly warehouses: { list(actor: Actor): ReturnType<SessionTools['warehouses']> }
}

export interface ServiceStatement extends Pick<
  SessionTools,
  'actor' | 'wholeActor' | 'clientIp' | 'warnings' | 'counts'
> {
  readonly connection: Connection
  readonly queryId: string
  readonly statement: Statement
  /** Aborted when the user stops it. */
  readonly stop: AbortSignal
  onRun(run: QueryRun | null): void
}

/** Statements of the service: the same on every engine and every door. */
export async function runInService(
  runner: ServiceRunner,
  answer: Answer,
  statement: ServiceStatement,
): Promise<Ending> {
  const { actor, wholeActor, connection, clientIp, warnings, counts } = statement
  const runs: Ending[] = []
  const inEngine = createEngineWork(runner, statement, (ending) => runs.push(ending))
  const tools: SessionTools = {
    actor,
    wholeActor,
    connection,
    warnings,
    counts,
    clientIp,
    stop: statement.stop,
    require: async (wanted) => {
      const message = await runner.privileges.whyNot(actor, [wanted])
      if (message !== null) throw new AppError('NoPermission', message)
    },
    may: async (wanted) => (await runner.privileges.whyNot(actor, [wanted])) === null,
    catalogNamed: (name) => catalogNamed(runner, actor, name),
    visible: (place) => runner.privileges.visible(actor, place),
    materialized: () => runner.privileges.materialized(actor.accountId),
    runInEngine: (say: SayTo) => inEngine((engine, run) => run(say(engine))),
    lookInEngine: <T>(look: LookIn<T>) =>
      inEngine((engine, read) => look(engine, { read, inTransaction: connection.inTransaction })),
    warehouses: () => runner.warehouses.list(actor),
  }
  const { result, move, warnings: left } = await answeredOrPlaced(answer, statement.statement, tools)
  const own = runs.at(-1)
  const changed = runs.flatMap((run) => run.changed ?? [])
  const defined = runs.find((run) => run.defined)?.defined
  return {
    ...finished(shown(statement.statement, result), { ...own?.move, ...move }),
    notice: own?.notice ?? '',
    ...(changed.length > 0 && { changed }),
    ...(defined && { defined }),
    ...(own?.engineId !== undefined && { engineId: own.engineId }),
    ...(left && { warnings: left }),
  }
}

/** The message does not reveal whether a catalog exists that the requester may not use. */
async function catalogNamed(
  { useServiceEngine, privileges }: ServiceRunner,
  actor: Actor,
  name: string,
): Promise<string> {
  if (isFirst(name)) return DEFAULT_CATALOG
  const missing = new AppError(
    'QueryFailed',
    `The catalog ${name} does not exist, or you may not use it. SHOW CATALOGS lists those that you may.`,
  )
  const found = await useServiceEngine(
    actor.accountId,
    async ({ attachments }) => attachments?.named(name) ?? null,
  )
  if (found === null) throw missing
  const object = objectOf('catalog', { catalog: found })
  if ((await privileges.whyNot(actor, [{ privilege: 'USAGE', object }])) !== null) throw missing
  return found
}

async function answeredOrPlaced(answer: Answer, statement: Statement, tools: SessionTools) {
  try {
    return await answer(statement, tools)
  } catch (error) {
    throw withPlace(error, statement)
  }
}

/** What SHOW … WHERE leaves of what is shown. */
function shown(statement: Statement, result: ResultRows): ResultRows {
  const where = statement.kind.startsWith('show-') ? readShow(statement)?.where : undefined
  if (!where) return result
  const columns = result.columns.map(({ name }) => name)
  const unknown = unknownColumn(where, columns)
  if (unknown) {
    const message = `There is no column ${unknown.column} here: it shows ${columns.join(', ')}.`
    throw new DidNotFinish(failed('QueryFailed', message, unknown.offset))
  }
  return { ...result, rows: result.rows.filter(rowMatcher(where, columns)) }
}

type EngineWork<T> = (engine: Engine, run: (sql: string, most?: number) => Promise<ResultRows>) => Promise<T>

const notRun = () => new DidNotFinish(cancelled('Stopped at your request before it ran.'))

/** Works in the account's engine with statements of ours, on behalf of the user's. `onEnded` gets the end of each. */
function createEngineWork(
  runner: ServiceRunner,
  statement: ServiceStatement,
  onEnded: (ending: Ending) => void,
) {
  const { accountId } = statement.actor
  const { stop } = statement
  return async function inEngine<T>(work: EngineWork<T>): Promise<T> {
    let hasStarted = false
    const done = runner.useServiceEngine(accountId, async (engine) => {
      hasStarted = true
      return work(engine, async (sql, most) => {
        if (stop.aborted) throw notRun()
        const ending = await runOwn(runner, engine, { ...statement, sql, most })
        onEnded(ending)
        if (ending.state === 'finished') return ending.result ?? EMPTY_RESULT
        // An offset in our text means nothing in the user's.
        throw new DidNotFinish(withError(ending, { offset: null }))
      })
    })
    // Nobody waits for an engine that is still starting.
    const stopped = aborted(stop).then(() => {
      if (hasStarted) return done
      throw notRun()
    })
    return Promise.race([done, stopped])
  }
}

interface OwnStatement extends ServiceStatement {
  readonly sql: string
  readonly most: number | undefined
}

/** How it ends, the user's does. */
function runOwn(runner: ServiceRunner, engine: Engine, statement: OwnStatement): Promise<Ending> {
  const { actor, connection, queryId, stop, sql, most = MAX_OWN_ROWS } = statement
  const { kind } = statement.statement
  return runInSession(runner, engine, {
    accountId: actor.accountId,
    user: actor.user,
    connection,
    sql,
    kind,
    draws: false,
    part: kind === 'create-database' || kind === 'drop-database' ? 'defines' : 'looks',
    options: {
      takenFor: null,
      authorize: 'all',
      maxRows: Math.min(most, MAX_OWN_ROWS),
      queryId,
      keep: null,
      profile: null,
    },
    stop,
    onRun: (run) => statement.onRun(run),
  })
}
