import {
  type Execute,
  parametersOf,
  readDeallocate,
  readExecute,
  readPrepare,
  readStatement,
  type Statement,
  withStandardQuotes,
  withValues,
} from '@boathouse/sql'
import { AppError } from '../../../kernel/app-error.ts'
import type { Analyses } from '../analysis/analyses.ts'
import type { AnalysedStatement } from '../analysis/analysed-text.ts'
import type { Connection } from './connection.ts'
import { keptOf, PREPARED, withKept, withoutKept } from './kept-values.ts'
import { NO_ROWS } from './own-rows.ts'
import type { Answer } from './session-tools.ts'
import { unreadable } from './unreadable.ts'

/**
 * Prepared statements are texts, kept with the connection: what runs is the text with its values in it, read, guarded and
 * decided on as if it had been sent so. They outlive engines, and nothing is allowed because it once was.
 */

const notPrepared = (name: string) =>
  new AppError(
    'QueryFailed',
    `No statement is prepared as ${name} on this connection. PREPARE ${name} AS statement does it.`,
    { detail: 'missing-prepared' },
  )

/** So that it can be kept and put together, whatever `sql_mode` is by then. */
const inStandardQuotes = (statement: Statement): Statement => readStatement(withStandardQuotes(statement))

/** What can be prepared, in words, when this cannot. */
function whyNotPrepared({ kind, class: purpose }: Statement): string | null {
  if (purpose === 'reads' || purpose === 'writes') return null
  const what =
    kind === 'unknown' ? 'this statement is unknown' : `${kind.replaceAll('-', ' ').toUpperCase()} is not one`
  return `PREPARE takes one statement that reads or writes. ${what}.`
}

/** The name and the text that is kept under it. */
function readPrepared(statement: Statement): [name: string, sql: string] | null {
  const read = readPrepare(inStandardQuotes(statement))
  if (!read) return null
  const { name, body } = read
  const sql = 'sql' in body ? body.sql : withStandardQuotes(readStatement(body.text, statement.tokens.quotes))
  return [name, sql]
}

const prepare: Answer = async (statement, { connection: { variables } }) => {
  const read = readPrepared(statement)
  if (!read) throw unreadable('PREPARE name AS statement')
  const [, sql] = read
  const whyNot = whyNotPrepared(readStatement(sql))
  if (whyNot !== null) throw new AppError('QueryFailed', whyNot)
  return { result: NO_ROWS, move: { variables: withKept(variables, PREPARED, read) } }
}

const deallocate: Answer = async (statement, { connection: { variables } }) => {
  const target = readDeallocate(statement)
  if (!target) throw unreadable('DEALLOCATE name or DEALLOCATE ALL')
  const known = keptOf(variables, PREPARED).map(([name]) => name)
  const names = target.name === null ? known : [target.name]
  for (const name of names) if (!known.includes(name)) throw notPrepared(name)
  return { result: NO_ROWS, move: { variables: withoutKept(variables, PREPARED, names) } }
}

/** An EXECUTE, or an EXPLAIN of one. */
export const runsPrepared = ({ kind, explained }: Statement): boolean =>
  (explained?.kind ?? kind) === 'execute'

/** With the words of an EXPLAIN before it, where there are any. */
function readExecution(statement: Statement): (Execute & { explaining: string }) | null {
  const read = inStandardQuotes(statement)
  const { start = 0, first } = read.explained ?? {}
  const execute = readExecute(read, first)
  return execute && { ...execute, explaining: read.text.slice(0, start) }
}

/** What an EXECUTE runs. */
export interface Executed {
  readonly statement: AnalysedStatement
  /** Its parameters that are left, and the variables of the session that they stand for. */
  readonly variables: Readonly<Record<string, string>>
  /** Where a place in it is in the text that was sent; missing where that is not known. */
  readonly offsetIn?: (offset: number) => number | null
}

export function executedStatement(
  statement: Statement,
  connection: Connection,
  analyses: Pick<Analyses, 'one'>,
): Executed {
  const execution = readExecution(statement)
  if (!execution) throw unreadable('EXECUTE name or EXECUTE name (value, …)')
  const { name, values, variables, explaining } = execution
  const given = [...values.keys(), ...variables.keys()]
  const [, sql] = keptOf(connection.variables, PREPARED).find(([known]) => known === name) ?? []
  if (sql === undefined) throw notPrepared(name)
  const prepared = readStatement(sql)
  const wanted = parametersOf(prepared)
  const missing = wanted.filter((one) => !given.includes(one))
  if (missing.length > 0)
    throw new AppError('QueryFailed', `${name} needs values for its parameters ${missing.join(', ')}.`)
  const unknown = given.filter((one) => !wanted.includes(one))
  if (unknown.length > 0)
    throw new AppError(
      'QueryFailed',
      `${name} has no parameters ${unknown.join(', ')}: give it fewer values.`,
    )
  const executed = analyses.one(explaining + withValues(prepared, values))
  return { statement: executed, variables: Object.fromEntries(variables) }
}

/**
 * Given the statements of a text in their order, gives for each EXECUTE what it will run; null when that is known
 * only after earlier statements have run.
 */
export function preparedIn({ variables }: Connection): (statement: Statement) => Statement | null {
  const texts = new Map(keptOf(variables, PREPARED))
  // A text may execute the same hundreds of times.
  const known = new Map<string, Statement>()
  const performedAs = (sql: string): Statement => {
    const performed = known.get(sql) ?? readStatement(sql)
    known.set(sql, performed)
    return performed
  }
  return (statement) => {
    const prepared = statement.kind === 'prepare' ? readPrepared(statement) : null
    if (prepared) texts.set(...prepared)
    const execution = runsPrepared(statement) ? readExecution(statement) : null
    const sql = execution ? texts.get(execution.name) : undefined
    return execution && sql !== undefined ? performedAs(execution.explaining + sql) : null
  }
}

export const PREPARED_STATEMENTS = { prepare, deallocate }
