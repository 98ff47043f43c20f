import { type Piece, textAt } from '../text/piece.ts'
import { openTokenReader, type TokenReader } from '../text/token-reader.ts'
import { systemVariableAt } from './system-variables.ts'

/** One of what a SELECT asks about the session itself. */
export type AskedValue = { readonly heading: string } & (
  | { readonly asks: 'variable'; readonly name: string; readonly offset: number }
  | { readonly asks: 'function'; readonly name: string }
)

export interface SessionQuestion {
  readonly values: readonly AskedValue[]
  /** At most so many rows, of one. */
  readonly limit: number
}

/** Functions that say something of the session, and need no data. */
const FUNCTIONS = new Set(
  'CONNECTION_ID CURRENT_USER CURRENT_VERSION DATABASE FOUND_ROWS LAST_INSERT_ID ROW_COUNT SCHEMA SESSION_USER SYSTEM_USER USER VERSION'.split(
    ' ',
  ),
)
/** Without parentheses too. */
const BARE = new Set(['CURRENT_USER'])

/**
 * SELECT @@a, @@session.b AS c, VERSION() … [FROM DUAL] [LIMIT n]: what clients ask before anything else, and can be
 * answered without an engine. Null for everything else.
 */
export function readSessionQuestion(statement: Piece): SessionQuestion | null {
  const reader = openTokenReader(statement)
  if (!reader.take('SELECT')) return null
  const values: AskedValue[] = []
  do {
    const value = readValue(reader)
    if (!value) return null
    values.push(value)
  } while (reader.take(','))
  if (reader.take('FROM') && !reader.take('DUAL')) return null
  const limit = reader.take('LIMIT') ? Number(reader.value() ?? NaN) : 1
  return reader.left() === 0 && Number.isInteger(limit) && limit >= 0 ? { values, limit } : null
}

const BEHIND = new Set([',', 'FROM', 'LIMIT'])

function readValue(reader: TokenReader): AskedValue | null {
  const start = reader.offset()
  const { statement } = reader
  const variable = systemVariableAt(statement, reader.at())
  const name = variable ? null : readFunction(reader)
  if (variable) reader.skip(variable.length + 1)
  if (!variable && name === null) return null
  const written = textBetween(statement, start, reader.at() - 1)
  const isNamed = reader.take('AS') !== null || (reader.left() > 0 && !BEHIND.has(reader.peek()))
  const alias = isNamed ? reader.value() : written
  if (alias === null) return null
  return variable
    ? { heading: alias, asks: 'variable', name: variable.name, offset: variable.offset }
    : { heading: alias, asks: 'function', name: name ?? '' }
}

function readFunction(reader: TokenReader): string | null {
  const name = reader.take(...FUNCTIONS)
  if (name === null) return null
  return reader.takeAll('(', ')') || (BARE.has(name) && reader.peek() !== '(') ? name : null
}

/** As it is written, to the end of this token. */
function textBetween(statement: Piece, start: number, last: number): string {
  const end = (statement.tokens.starts[last] ?? 0) - statement.start + textAt(statement, last).length
  return statement.text.slice(start, end)
}
