import type { StatementKind } from '@boathouse/sql'
import type { Engine, QueryRun } from '../../engines/engine.ts'
import { aborted } from '../../kernel/aborted.ts'
import type { Actor } from '../../kernel/actor.ts'
import { EMPTY_RESULT } from './answer.ts'
import type { Connection } from './connections.ts'
import { cancelled, DidNotFinish, type Ending, finished } from './ending.ts'
import { runInSession, type SessionRunner } from './session-run.ts'
import type { Answer, SessionTools } from './session-statements.ts'

/** Of a statement of ours, such as a list of tables. */
const MAX_OWN_ROWS = 100_000

export interface ServiceRunner extends SessionRunner {
  readonly serviceEngine: (accountId: string) => Promise<Engine>
  readonly warehouses: { list(actor: Actor): ReturnType<SessionTools['warehouses']> }
}

export interface ServiceStatement extends Pick<SessionTools, 'actor' | 'wholeActor'> {
  readonly connection: Connection
  readonly queryId: string
  readonly sql: string
  readonly kind: StatementKind
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
  const { actor, wholeActor, connection } = statement
  const runs: Ending[] = []
  const { result, move } = await answer(statement.sql, {
    actor,
    wholeActor,
    connection,
    runInEngine: async (sql) => {
      const ending = await runOwn(runner, statement, sql)
      runs.push(ending)
      if (ending.state === 'finished') return ending.result ?? EMPTY_RESULT
      // A place in our text is none in the user's.
      throw new DidNotFinish({ ...ending, offset: null })
    },
    warehouses: () => runner.warehouses.list(actor),
  })
  const own = runs.at(-1)
  return { ...finished(result, { ...own?.move, ...move }), notice: own?.notice ?? '' }
}

/** A statement of ours on behalf of the user's: how it ends, the user's does. */
async function runOwn(runner: ServiceRunner, statement: ServiceStatement, sql: string): Promise<Ending> {
  const { actor, connection, queryId, kind, stop } = statement
  const { accountId } = actor
  const engine = await Promise.race([runner.serviceEngine(accountId), aborted(stop)])
  if (!engine) return cancelled('Stopped at your request, before it ran.')
  return runInSession(runner, engine, {
    accountId,
    connection,
    sql,
    part: kind === 'create-database' || kind === 'drop-database' ? 'defines' : 'looks',
    options: { takenFor: null, maxRows: MAX_OWN_ROWS, queryId, keep: null, profile: false },
    stop,
    onRun: (run) => statement.onRun(run),
  })
}
