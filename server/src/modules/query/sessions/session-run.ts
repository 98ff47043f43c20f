import type { StatementKind } from '@boathouse/sql'
import { type Engine, EngineUnavailable } from '../../../engines/engine/engine.ts'
import type { EngineSession } from '../../../engines/engine/session.ts'
import type { ExecuteOptions, QueryRun } from '../../../engines/engine/run.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Connection } from './connection.ts'
import type { Effects } from '../running/effects.ts'
import { cancelled, cutOff, type Ending, endingOf, failed, notRun, withError } from '../running/ending.ts'
import { type EngineSessions, type Entered, type Entering, isOfUser } from './engine-sessions.ts'
import { endingByLoss, noticeOf, type Part, withUntold } from './session-loss.ts'
import { LONGEST_RUN_MS, type TimeLimit, timeLimitOf } from './session-variables.ts'

export interface SessionRunner {
  readonly sessions: EngineSessions
  readonly effects: Effects
}

export interface SessionStatement {
  readonly accountId: string
  /** The name of the user for whom it runs. */
  readonly user: string
  readonly connection: Connection
  readonly sql: string
  readonly kind: StatementKind
  /** It may draw from a sequence. */
  readonly draws: boolean
  readonly part: Part
  readonly options: ExecuteOptions
  /** Aborted when the user stops it. */
  readonly stop: AbortSignal
  /** Aborted, with the error to answer, when the warehouse ends before the statement does. */
  readonly evicted?: AbortSignal
  /** Called with the run while it is under way, for its progress. */
  onRun(run: QueryRun | null): void
}

/**
 * Runs one statement, the user's or one of ours on the user's behalf, in the session of its connection. Every statement
 * that reaches an engine passes here, so that none runs without what its session has lost, untold.
 */
export async function runInSession(
  runner: SessionRunner,
  engine: Engine,
  statement: SessionStatement,
): Promise<Ending> {
  const { connection, part, kind } = statement
  const isUsers = isOfUser(engine, connection)
  const entered = await enter(runner, engine, statement)
  if ('state' in entered) return entered
  const refusal = endingByLoss(part, kind, entered)
  const ending = refusal ?? (await runWatched(runner, { engine, session: entered.session }, statement))
  const isTold = refusal !== null || (part !== 'looks' && ending.state === 'finished')
  if (isTold) runner.sessions.lossTold(connection.id, engine)
  if (refusal) return refusal
  const { move: facts, ...rest } = ending
  // The engine of the warehouse has what the connection holds; a session in another one does not know of it.
  const move = !isUsers ? undefined : facts && !isTold ? withUntold(facts, entered.lost) : facts
  return {
    ...rest,
    notice: noticeOf(entered),
    ...(part !== 'looks' && { engineId: engine.kind }),
    ...(move ? { move } : {}),
  }
}

async function enter(
  { sessions }: SessionRunner,
  engine: Engine,
  { connection, user, part, kind }: Entering,
): Promise<Entered | Ending> {
  try {
    return await sessions.enter(engine, { connection, user, part, kind })
  } catch (error) {
    if (error instanceof EngineUnavailable) return notRun(error.message)
    throw error
  }
}

/** Runs it until it ends, is stopped, runs out of time or loses its warehouse; whichever comes first is its end. */
async function runWatched(
  runner: SessionRunner,
  { engine, session }: { readonly engine: Engine; readonly session: EngineSession },
  statement: SessionStatement,
): Promise<Ending> {
  const { connection, options, stop, evicted } = statement
  if (stop.aborted) return cancelled('Stopped at your request before it ran.')
  const limit = options.file
    ? { ms: LONGEST_RUN_MS, variable: 'query_timeout' }
    : timeLimitOf(connection, options.takenFor === 'reads')
  const run = session.execute(statement.sql, options)
  statement.onRun(run)
  let isOutOfTime = false
  const cancel = (): void => void run.cancel()
  const timer = setTimeout(() => {
    isOutOfTime = true
    cancel()
  }, limit.ms)
  const reasons = [stop, ...(evicted ? [evicted] : [])]
  for (const reason of reasons) {
    reason.addEventListener('abort', cancel)
    if (reason.aborted) cancel()
  }
  const outcome = await run.outcome
  clearTimeout(timer)
  for (const reason of reasons) reason.removeEventListener('abort', cancel)
  statement.onRun(null)

  const stopped = endingOfStopped(statement, isOutOfTime ? limit : null)
  if (outcome.state === 'lost') {
    const lost = await endingOfLost(runner, statement, { engine, reason: outcome.reason })
    return stopped ? byForce(stopped, lost) : { ...lost, engineLost: outcome.reason }
  }
  if (outcome.state !== 'cancelled' || !stopped) return endingOf(outcome)
  const { session: move, peakMemoryBytes = null, measured = null } = outcome
  return { ...stopped, move, peakMemoryBytes, measured }
}

/** Null when nobody and nothing stopped it. */
function endingOfStopped(
  { stop, evicted }: Pick<SessionStatement, 'stop' | 'evicted'>,
  timedOutAfter: TimeLimit | null,
): Ending | null {
  if (evicted?.aborted && evicted.reason instanceof AppError)
    return failed(evicted.reason.code, evicted.reason.message)
  if (stop.aborted) return cancelled('Stopped at your request.')
  if (timedOutAfter === null) return null
  const { ms, variable } = timedOutAfter
  return failed('StatementTimedOut', `Stopped after ${ms / 1000} s, the ${variable} of this connection.`)
}

/** The statement did not stop on request, so the engine had to be ended. Its ending still says why it was stopped. */
function byForce(stopped: Ending, lost: Ending): Ending {
  // That it took effect, or may have, matters more than why it was stopped.
  if (lost.effect !== null && lost.effect !== 'not taken') return lost
  return {
    ...withError(stopped, { message: `${stopped.error?.message} The engine had to be stopped.` }),
    effect: lost.effect,
    ...(lost.move ? { move: lost.move } : {}),
  }
}

/** Only the next engine of its kind knows whether it took effect. */
async function endingOfLost(
  { effects }: SessionRunner,
  { accountId, connection, part, kind, draws, options }: SessionStatement,
  { engine, reason }: { readonly engine: Engine; readonly reason: string },
): Promise<Ending> {
  const why = `The engine ended while this statement ran (${reason}).`
  // The service moves a session only when the engine has done so.
  if (part === 'looks') return cutOff(why, null, kind.startsWith('show-') ? 'reads' : 'not taken')
  if (options.takenFor === 'reads') return cutOff(why, null, draws ? 'draws' : 'reads')
  const ending = cutOff(why, await effects.ask({ accountId, engine: engine.kind }, options.queryId))
  // This ending reports the state of the transaction, so the next statement must not report it as lost.
  const isTold = kind === 'commit' && ending.effect !== 'not taken'
  return isTold
    ? { ...ending, move: { inTransaction: false, hasTemporary: connection.hasTemporary } }
    : ending
}
