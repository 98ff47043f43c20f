import {
  readDefinition,
  readSavepoint,
  readTransaction,
  type Statement,
  type StatementKind,
} from '@boathouse/sql'
import type { Connection } from '../sessions/connection.ts'
import { isAutocommit, speaksMysql } from '../sessions/session-variables.ts'
import { unreadable } from '../sessions/unreadable.ts'
import { AppError } from '../../../kernel/app-error.ts'

/** What a statement does to the transaction of its connection, beside what it is. */
export interface TransactionPlan {
  /** Ends the one that is open, before anything else. */
  readonly ends: 'COMMIT' | 'ROLLBACK' | null
  /** What an engine runs instead of the statement; null: nothing is left to do. Missing: the statement itself. */
  readonly instead?: string | null
}

/** Of a client of MySQL, these end the transaction in which they are sent, and are never a part of one. */
const COMMITS =
  /^(?:create|drop|alter)-|^(?:grant|revoke|truncate|comment-on|set-password|set-default-role|lock-tables)$/

const commits = (statement: Statement): boolean =>
  COMMITS.test(statement.kind) && readDefinition(statement, statement.first)?.temporary !== true

const FORMS: Partial<Record<StatementKind, string>> = {
  begin: 'START TRANSACTION [READ ONLY | READ WRITE | WITH CONSISTENT SNAPSHOT]',
  commit: 'COMMIT [AND [NO] CHAIN]',
  rollback: 'ROLLBACK [AND [NO] CHAIN]',
}

const notReleased = () =>
  new AppError('QueryFailed', 'RELEASE is not available: end the transaction, then close the connection.', {
    detail: 'not-supported',
  })

const BEGIN = 'BEGIN'
const VERBS = { commit: 'COMMIT', rollback: 'ROLLBACK' } as const

/**
 * As MySQL does it, for clients that count on it. A transaction that is not open can be ended, one that is open is
 * committed by the next BEGIN and by what defines something. Null: nothing but the statement itself.
 */
export function transactionPlan(statement: Statement, connection: Connection): TransactionPlan | null {
  if (statement.kind === 'savepoint') return savepointPlan(statement, connection)
  if (!speaksMysql(connection)) return null
  const { inTransaction } = connection
  const form = FORMS[statement.kind]
  if (form === undefined) return inTransaction && commits(statement) ? { ends: 'COMMIT' } : null
  const read = readTransaction(statement)
  if (!read) throw unreadable(form)
  if (read.does === 'begin')
    return {
      ends: inTransaction ? 'COMMIT' : null,
      instead: read.isReadOnly ? `${BEGIN} TRANSACTION READ ONLY` : BEGIN,
    }
  if (read.releases) throw notReleased()
  const verb = VERBS[read.does]
  if (read.chains) return { ends: inTransaction ? verb : null, instead: BEGIN }
  return { ends: null, instead: inTransaction ? verb : null }
}

/**
 * Engines have no savepoints of their own: theirs keep what can be kept, and fail where it cannot. To others than clients of
 * MySQL, who need them for nested transactions, they are not offered.
 */
function savepointPlan(statement: Statement, connection: Connection): TransactionPlan | null {
  if (!speaksMysql(connection)) throw new AppError('QueryFailed', NO_SAVEPOINTS, { detail: 'not-supported' })
  const read = readSavepoint(statement)
  if (!read) throw unreadable('SAVEPOINT name, ROLLBACK TO [SAVEPOINT] name or RELEASE SAVEPOINT name')
  if (connection.inTransaction || !isAutocommit(connection)) return null
  if (read.does !== 'set')
    throw new AppError('QueryFailed', `SAVEPOINT ${read.name} does not exist`, {
      detail: 'missing-savepoint',
    })
  // Each statement is a transaction of its own: there is nothing to return to.
  return { ends: null, instead: null }
}

const NO_SAVEPOINTS =
  'SAVEPOINT is not available: transactions have none. Commit or roll back the whole transaction.'

/** A SELECT without these has no snapshot to keep. A word in a text or comment begins one for nothing, and does no harm. */
const READS_TABLES = /\b(?:from|table|pivot|unpivot|summarize)\b/i

/** Whether a statement is the first of a transaction that nobody has written BEGIN for. */
export function beginsTransaction(statement: Statement, connection: Connection): boolean {
  if (connection.inTransaction || isAutocommit(connection) || commits(statement)) return false
  if (statement.kind === 'savepoint') return true
  if (statement.class === 'writes') return true
  return statement.class === 'reads' && READS_TABLES.test(statement.text)
}
