import type { Statement, StatementKind } from '@boathouse/sql'
import { timeOrderedId } from '../../../kernel/time-ordered-id.ts'
import type { Connection } from '../sessions/connection.ts'
import { NO_ROWS } from '../sessions/own-rows.ts'
import { isAutocommit } from '../sessions/session-variables.ts'
import { type Ending, finished, notBegun } from './ending.ts'
import { transactionPlan } from './transaction-plan.ts'

/** What the transaction of a connection is ended and begun with. */
export interface TransactionHands {
  /** As it is now. */
  connection(): Connection
  /** Runs a statement of ours in its session. The engine remembers the end of a transaction under the id. */
  run(kind: StatementKind, sql: string, queryId: string): Promise<Ending>
  /** It has ended beside what its statement is, and who watches is notified. */
  ended(kind: StatementKind, queryId: string, ending: Ending): Promise<void>
}

const KINDS = { COMMIT: 'commit', ROLLBACK: 'rollback' } as const

/** Ends the open transaction before a statement that cannot be a part of it. */
async function end(hands: TransactionHands, verb: keyof typeof KINDS, queryId: string): Promise<Ending> {
  const kind = KINDS[verb]
  const ending = await hands.run(kind, verb, queryId)
  await hands.ended(kind, queryId, ending)
  return ending.state === 'finished' ? ending : notBegun(ending)
}

/** Does what a statement does to its transaction. Null when the statement itself is still to be run. */
export async function controlTransaction(
  hands: TransactionHands,
  statement: Statement,
  queryId: string,
): Promise<Ending | null> {
  const plan = transactionPlan(statement, hands.connection())
  if (!plan) return null
  const { kind } = statement
  if (plan.ends) {
    // Of what ends a transaction the engine remembers the end under its own id, of any other only its own doing.
    const isEnd = kind === 'commit' || kind === 'rollback'
    const ended = await end(hands, plan.ends, isEnd ? queryId : timeOrderedId())
    if (ended.state !== 'finished') return ended
  }
  if (plan.instead === undefined) return null
  if (plan.instead === null) return finished(NO_ROWS)
  return hands.run(plan.ends ? 'begin' : kind, plan.instead, queryId)
}

/** SET autocommit = 1 commits what is open. If that fails, nothing is set. */
export async function commitWhenTurnedOn(hands: TransactionHands, ending: Ending): Promise<Ending> {
  const { move } = ending
  const before = hands.connection()
  const isOn = move?.variables !== undefined && isAutocommit({ variables: move.variables })
  if (!isOn || isAutocommit(before) || !before.inTransaction) return ending
  const committed = await end(hands, 'COMMIT', timeOrderedId())
  return committed.state === 'finished' ? { ...ending, move: { ...move, inTransaction: false } } : committed
}
