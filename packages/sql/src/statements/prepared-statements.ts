import { isName, keywordAt, kindAt, offsetOf, type Piece, textAt } from '../text/piece.ts'
import { unquoteIdentifier } from '../text/quoting.ts'
import { TextEdits } from '../text/text-edits.ts'
import { openTokenReader, type TokenReader } from '../text/token-reader.ts'
import { findTopLevel } from '../text/top-level.ts'
import { TOKEN } from '../text/token.ts'

/** A statement that is prepared or executed comes here in the quotes of standard SQL. */

export interface Prepare {
  name: string
  /** The statement itself, or a text that holds it. */
  body: { sql: string } | { text: string }
}

/** The text of the statement from a token to another, which may be its end. */
function slice(piece: Piece, first: number, until: number): string {
  const end = (piece.tokens.ends[until - 1] ?? 0) - piece.start
  return piece.text.slice(offsetOf(piece, first), end)
}

const nameOf = (reader: TokenReader): string | null => {
  const [name, ...outer] = reader.qualifiedName() ?? []
  return name === undefined || outer.length > 0 ? null : name.toLowerCase()
}

/** PREPARE name [(types)] AS statement, or PREPARE name FROM 'statement' */
export function readPrepare(statement: Piece): Prepare | null {
  const reader = openTokenReader(statement)
  if (!reader.take('PREPARE')) return null
  const name = nameOf(reader)
  if (name === null) return null
  if (reader.take('FROM')) {
    const text = reader.string()
    return text === null || reader.left() > 0 ? null : { name, body: { text } }
  }
  if (reader.peek() === '(') reader.skipParentheses()
  if (!reader.take('AS') || reader.left() === 0) return null
  return { name, body: { sql: slice(reader.statement, reader.at(), reader.statement.until) } }
}

export interface Execute {
  name: string
  /** As they are written. Those without a name are counted from 1. */
  values: ReadonlyMap<string, string>
  /** Of USING: the variables of the session that are the values, by the parameters that they are for. */
  variables: ReadonlyMap<string, string>
}

/** EXECUTE name [(value, name := value, …)], or EXECUTE name USING @variable, …; from a token on, as in an EXPLAIN. */
export function readExecute(statement: Piece, from = statement.first): Execute | null {
  const reader = openTokenReader(statement, from)
  if (!reader.take('EXECUTE')) return null
  const name = nameOf(reader)
  if (name === null) return null
  const none = new Map<string, string>()
  if (reader.left() === 0) return { name, values: none, variables: none }
  const isUsing = reader.take('USING') !== null
  const given = isUsing ? usedVariables(reader) : listed(reader)
  if (!given || reader.left() > 0) return null
  return isUsing ? { name, values: none, variables: given } : { name, values: given, variables: none }
}

function usedVariables(reader: TokenReader): Map<string, string> | null {
  const used = new Map<string, string>()
  do {
    const name = reader.take('@') ? nameOf(reader) : null
    if (name === null) return null
    used.set(String(used.size + 1), name)
  } while (reader.take(','))
  return used
}

function listed(reader: TokenReader): Map<string, string> | null {
  const { statement } = reader
  const opening = reader.at()
  const closing = statement.tokens.partners[opening] ?? -1
  if (keywordAt(statement, opening) !== '(' || closing < 0) return null
  const values = new Map<string, string>()
  for (let first = opening + 1; first < closing;) {
    const comma = findTopLevel({ ...statement, until: closing }, first, ',')
    const until = comma < 0 ? closing : comma
    const isNamed = isName(statement, first) && keywordAt(statement, first + 1) === ':='
    const from = isNamed ? first + 2 : first
    if (from >= until) return null
    const name = isNamed ? unquoteIdentifier(textAt(statement, first)).toLowerCase() : String(values.size + 1)
    values.set(name, slice(statement, from, until))
    first = until + 1
  }
  reader.skipParentheses()
  return values
}

/** DEALLOCATE [PREPARE] name | ALL, or DROP PREPARE name; null as the name: all of them. */
export function readDeallocate(statement: Piece): { name: string | null } | null {
  const reader = openTokenReader(statement)
  if (!reader.takeAll('DROP', 'PREPARE')) {
    if (!reader.take('DEALLOCATE')) return null
    if (reader.left() > 1) reader.take('PREPARE')
  }
  if (reader.take('ALL')) return reader.left() > 0 ? null : { name: null }
  const name = nameOf(reader)
  return name === null || reader.left() > 0 ? null : { name }
}

/** The names of the parameters of a statement, each once; those without a name are counted from 1. */
export function parametersOf(statement: Piece): string[] {
  const names = new Set<string>()
  for (const { name } of parameters(statement)) names.add(name)
  return [...names]
}

function* parameters(statement: Piece): Generator<{ at: number; name: string }> {
  let count = 0
  for (let at = statement.first; at < statement.until; at++) {
    if (kindAt(statement, at) !== TOKEN.parameter) continue
    const written = textAt(statement, at)
    yield { at, name: written === '?' ? String(++count) : written.slice(1).toLowerCase() }
  }
}

/** A value of one token needs no parentheses, as a number behind LIMIT. */
const isSingle = (value: string): boolean => isLiteral(value) || /^(?:\d[\w.]*|\w+)$/.test(value)

/** One text in single quotes. Not by a pattern, which would need a stack as deep as a text of megabytes is long. */
function isLiteral(value: string): boolean {
  if (!value.startsWith("'")) return false
  for (let at = value.indexOf("'", 1); at > 0; at = value.indexOf("'", at + 2))
    if (value.charAt(at + 1) !== "'") return at === value.length - 1
  return false
}

/** Behind these, parentheses may mean something else: a list after IN, and columns after a name that is `div`. */
const OPERATOR_WORDS = new Set(['DIV', 'MOD'])

/** Behind these, a text alone would be the name of a table. */
const NAMING_WORDS = new Set(['FROM', 'JOIN'])

/** What is written of a value in place of tokens of a statement. */
export function operandOf(
  statement: Piece,
  { first, until }: { readonly first: number; readonly until: number },
  value: string,
): string {
  // A function behind a dot is called with all of it. A comment in it ends with its line.
  const isAlone = isSingle(value) && keywordAt(statement, until) !== '.'
  const before = keywordAt(statement, first - 1)
  const isCalled = before === 'IN' || (!isAlone && OPERATOR_WORDS.has(before))
  const isName = NAMING_WORDS.has(before) && value.startsWith("'")
  return isAlone && !isCalled && !isName ? ` ${value} ` : `${isCalled ? ' coalesce' : ''}(${value}\n)`
}

/** The statement with its values in place of its parameters. */
export function withValues(statement: Piece, values: ReadonlyMap<string, string>): string {
  const edits = new TextEdits(statement.text)
  for (const { at, name } of parameters(statement)) {
    const value = values.get(name)
    if (value === undefined) continue
    const start = offsetOf(statement, at)
    const written = operandOf(statement, { first: at, until: at + 1 }, value)
    edits.replace(start, start + textAt(statement, at).length, written)
  }
  return edits.finish()?.text ?? statement.text
}

export interface UserVariable {
  /** In small letters. */
  name: string
  /** An expression, as it is written; null: it is forgotten. */
  value: string | null
  /** Where the expression begins in the statement. */
  offset: number
}

/** SET VARIABLE name =|TO expression, SET @name =|:= expression, RESET VARIABLE name */
export function readUserVariable(statement: Piece): UserVariable | null {
  const reader = openTokenReader(statement)
  const verb = reader.take('SET', 'RESET')
  if (verb === null || !reader.take('VARIABLE', '@')) return null
  const name = nameOf(reader)
  if (name === null) return null
  if (verb === 'RESET') return reader.left() === 0 ? { name, value: null, offset: 0 } : null
  if (!reader.take('=', ':=', 'TO') || reader.left() === 0) return null
  const first = reader.at()
  if (!isWhole(reader.statement, first)) return null
  const value = slice(reader.statement, first, reader.statement.until)
  return { name, value, offset: offsetOf(reader.statement, first) }
}

/** Whether every parenthesis from a token on is opened and closed there. */
function isWhole(piece: Piece, first: number): boolean {
  for (let at = first; at < piece.until; at++) {
    const keyword = keywordAt(piece, at)
    if (keyword === ';') return false
    if (keyword !== '(' && keyword !== ')') continue
    const partner = piece.tokens.partners[at] ?? -1
    if (partner < first || partner >= piece.until) return false
  }
  return true
}
