import { readUserVariable, type Statement, type UserVariable } from '@boathouse/sql'
import type { ResultRows } from '../../../engines/engine/rows.ts'
import type { SessionVariable } from '../../../engines/engine/session.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Connection } from './connection.ts'
import { keptOf, USER_VARIABLES, withKept, withoutKept } from './kept-values.ts'
import { unreadable } from './unreadable.ts'

/** Of a value as text, in UTF-16 units. */
export const LONGEST_VALUE = 16 * 1024
export const ONE_VALUE = 'SET VARIABLE takes one value.'
/** Names of the service's own. */
const RESERVED = /^boathouse/

/** Handed to the engine with every statement: they outlive engines. */
export const userVariablesOf = ({ variables }: Connection): Readonly<Record<string, SessionVariable>> =>
  Object.fromEntries(
    keptOf(variables, USER_VARIABLES).map(([name, value]) => [name, JSON.parse(value) as SessionVariable]),
  )

export function readAssignment(statement: Statement): UserVariable {
  const assignment = readUserVariable(statement)
  if (!assignment) throw unreadable('SET VARIABLE name = value or RESET VARIABLE name')
  requireOwnName(assignment.name)
  return assignment
}

export function requireOwnName(name: string): void {
  if (RESERVED.test(name))
    throw new AppError('QueryFailed', 'Names that begin with boathouse are reserved. Choose another one.')
}

/** What gives the value of an expression; the engine adds its type to it. */
const BEFORE = 'SELECT (\n'
export const valueQuery = (expression: string): string => `${BEFORE}${expression}\n) AS v`

/** The place in the statement that a place in the query stands for. */
export const placeInAssignment = (offset: number, assignment: UserVariable): number =>
  Math.max(0, offset - BEFORE.length) + assignment.offset

/** As it is kept, from the one row that the query has given. */
export function valueIn({ rows, longCells, truncated }: ResultRows): SessionVariable {
  const [text = null, type] = rows[0] ?? []
  if (truncated) throw new AppError('QueryFailed', ONE_VALUE)
  if (longCells?.length)
    throw new AppError('LimitReached', `A variable holds at most ${LONGEST_VALUE} characters.`)
  if (text?.includes('\0')) throw new AppError('QueryFailed', 'A variable cannot hold the character U+0000.')
  return { text, type: type ?? 'VARCHAR' }
}

export const withVariable = (
  { variables }: Pick<Connection, 'variables'>,
  { name }: Pick<UserVariable, 'name'>,
  value: SessionVariable,
): Connection['variables'] => withKept(variables, USER_VARIABLES, [name, JSON.stringify(value)])

export const withoutVariable = ({ variables }: Connection, { name }: UserVariable): Connection['variables'] =>
  withoutKept(variables, USER_VARIABLES, [name])
