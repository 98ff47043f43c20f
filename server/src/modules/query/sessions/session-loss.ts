import { DEFAULT_CATALOG, DEFAULT_DATABASE } from '@boathouse/contract'
import type { StatementKind } from '@boathouse/sql'
import { NOTHING_TO_LOSE, type SessionFacts } from '../../../engines/engine/session.ts'
import { EMPTY_RESULT } from '../answers/answer.ts'
import type { ConnectionChange } from './connection.ts'
import { type Ending, failed, finished, withError } from '../running/ending.ts'
import { MAIN } from './followed-place.ts'

/** What a session that was opened again no longer has. */
export interface SessionLoss {
  readonly lost: SessionFacts
  /** The database it was in, when that is gone: it is in `main` instead. */
  readonly missingDatabase: string | null
  /** The catalog it was in, in the same way: it is in the first one instead. */
  readonly missingCatalog: string | null
  /** It was closed because its user chose a warehouse of another engine. */
  readonly hasLeft?: boolean
  /** Its transaction was rolled back, because nothing came for too long. */
  readonly wasIdle?: boolean
}

/**
 * Whose statement it is. Of the service's own, one `defines` a database; another one only moves the session or `looks`:
 * it works whatever was lost, and its notice does not count as a report, since the console sends such ones unseen.
 */
export type Part = 'user' | 'defines' | 'looks'

const ENDED = 'The engine or the connection of this session ended since your last statement'
const LEFT = 'You chose a warehouse of another engine since your last statement'
const IDLE = 'Nothing came on this connection for longer than idle_transaction_timeout'
const ROLLED_BACK = 'and your open transaction was rolled back: nothing of it took effect.'

/** The loss in full sentences; `isRefused`: for a statement that does not run because of it. */
function wordsOf(loss: SessionLoss, isRefused: boolean): string {
  const { lost, missingDatabase, missingCatalog } = loss
  const why = loss.hasLeft ? LEFT : loss.wasIdle ? IDLE : ENDED
  const gone = 'our temporary tables are gone.'
  const place = missingCatalog === null ? `database ${missingDatabase}` : `catalog ${missingCatalog}`
  const home = missingCatalog === null ? DEFAULT_DATABASE : `${DEFAULT_CATALOG}.${DEFAULT_DATABASE}`
  const isMissing = missingDatabase !== null || missingCatalog !== null
  const missing = isRefused
    ? `The ${place} no longer exists, so this session is now in ${home}. Run the statement again, or choose another database with USE.`
    : `The ${place}, which this session used, no longer exists.`
  return [
    lost.inTransaction ? `${why}, ${ROLLED_BACK}` : '',
    lost.inTransaction && isRefused ? 'Begin it again.' : '',
    lost.hasTemporary ? (lost.inTransaction ? `Y${gone}` : `${why}: y${gone}`) : '',
    isMissing ? missing : '',
  ]
    .filter(Boolean)
    .join(' ')
}

export const noticeOf = (loss: SessionLoss): string => wordsOf(loss, false)

/**
 * The ending of a statement that depends on what was lost, and so does not run. It reports the loss, and the next
 * statement runs. Null when it can run.
 */
export function endingByLoss(part: Part, kind: StatementKind, loss: SessionLoss): Ending | null {
  const { lost } = loss
  const missingDatabase = part === 'user' ? loss.missingDatabase : null
  const missingCatalog = part === 'user' ? loss.missingCatalog : null
  const isMissing = missingDatabase !== null || missingCatalog !== null
  if (part === 'looks' || !(lost.inTransaction || isMissing)) return null
  // What it asks for has happened.
  if (lost.inTransaction && kind === 'rollback')
    return { ...finished(EMPTY_RESULT, NOTHING_TO_LOSE), notice: noticeOf(loss) }
  const ending = failed(
    lost.inTransaction ? 'Interrupted' : 'QueryFailed',
    wordsOf({ ...loss, missingDatabase, missingCatalog }, true),
  )
  return {
    ...withError(ending, { detail: lost.inTransaction ? 'rolled-back' : 'missing-database' }),
    move: { ...NOTHING_TO_LOSE, ...(isMissing ? MAIN : {}) },
  }
}

/** What is stored of a session: a loss that was not reported yet is kept over the next restart. */
export const withUntold = (facts: ConnectionChange, lost: SessionFacts): ConnectionChange => ({
  ...facts,
  inTransaction: facts.inTransaction === true || lost.inTransaction,
  hasTemporary: facts.hasTemporary === true || lost.hasTemporary,
})
