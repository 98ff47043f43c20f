import type { StatementKind } from '@boathouse/sql'
import type { Engine } from '../../../engines/engine/engine.ts'
import { runInSession, type SessionRunner, type SessionStatement } from '../sessions/session-run.ts'
import type { Ending } from './ending.ts'

const NEVER = new AbortController().signal

/** A statement of ours that begins or ends the transaction of another one. */
function control(statement: SessionStatement, kind: StatementKind, sql: string): SessionStatement {
  const { queryId, roles, settings } = statement.options
  return {
    ...statement,
    kind,
    sql,
    draws: false,
    options: {
      takenFor: 'session',
      authorize: 'all',
      maxRows: 0,
      queryId,
      keep: null,
      profile: null,
      ...(roles !== undefined && { roles }),
      ...(settings && { settings }),
    },
    onRun: () => undefined,
  }
}

/**
 * Runs a statement as the first of a transaction, which stays open once it has finished. One that did not finish leaves
 * none: there is nothing in it, and after some errors an engine would refuse everything but its end.
 */
export async function runAsFirst(
  runner: SessionRunner,
  engine: Engine,
  statement: SessionStatement,
): Promise<Ending> {
  const begun = await runInSession(runner, engine, control(statement, 'begin', 'BEGIN'))
  if (begun.state !== 'finished') return begun
  // What it opens again from here on, if its engine ends, must not run without the transaction.
  const inside = { ...statement, connection: { ...statement.connection, inTransaction: true } }
  const ending = await runInSession(runner, engine, inside)
  const notice = [begun.notice, ending.notice].filter(Boolean).join(' ')
  if (ending.state === 'finished') return { ...ending, notice }
  await undo(runner, engine, inside)
  return { ...ending, notice, move: { ...ending.move, inTransaction: false } }
}

async function undo(runner: SessionRunner, engine: Engine, inside: SessionStatement): Promise<void> {
  const { evicted: _, ...undone } = { ...control(inside, 'rollback', 'ROLLBACK'), stop: NEVER }
  const { state } = await runInSession(runner, engine, undone)
  if (state !== 'finished') await runner.sessions.close(inside.connection.id)
}
