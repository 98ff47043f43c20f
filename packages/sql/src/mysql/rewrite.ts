import { MYSQL, noteMysqlCall } from './mysql-calls.ts'
import { requoteString } from './mysql-strings.ts'
import type { TokenEdits } from './mysql-words.ts'
import { isName, isUnterminated, keywordAt, kindAt, offsetOf, type Piece, textAt } from '../text/piece.ts'
import { dependsOnQuotes, isOfEngine } from '../text/quotes.ts'
import { inDoubleQuotes, quoteString, unquoteIdentifier } from '../text/quoting.ts'
import { type Rewriting, TextEdits } from '../text/text-edits.ts'
import { TOKEN } from '../text/token.ts'

export interface SystemVariable {
  /** In small letters. */
  readonly name: string
  /** Of its name with all that stands before it, in the text of the statement. */
  readonly offset: number
}

/** What a variable stands for; null leaves it as it is written. */
export type ValueOf = (variable: SystemVariable) => string | null

const endOf = (piece: Piece, at: number): number => (piece.tokens.ends[at] ?? 0) - piece.start

/**
 * The text of a statement as engines must get it, or null when that is the text itself:
 * - Backticked identifiers in double quotes. To the engine a backtick is an operator and ends nothing, so a semicolon
 *   between two of them would part the statement there.
 * - Strings of a text with other quotes: what they stand for, quoted anew.
 * - `LIMIT skipped, count` as LIMIT and OFFSET.
 * - `@@variables` as the values that they have, which are known when it is run.
 * - Calls of other servers that need more than a function of the same name; see `mysql-calls.ts`.
 */
export function rewritten(piece: Piece, valueOf: ValueOf = () => null): Rewriting | null {
  const { text, first, until } = piece
  const hasBackticks = text.includes('`')
  const hasVariables = text.includes('@@')
  const hasLimit = /\blimit\b/i.test(text)
  const hasMysql = MYSQL.test(text)
  const hasOtherQuotes = !isOfEngine(piece.tokens.quotes) && dependsOnQuotes(text)
  if (!hasBackticks && !hasVariables && !hasLimit && !hasMysql && !hasOtherQuotes) return null
  const edits = new TextEdits(text)
  const noted: TokenEdits = new Map()
  for (let at = first; at < until; at++) {
    const kind = kindAt(piece, at)
    if (hasMysql && kind === TOKEN.word) noteMysqlCall(piece, at, noted)
    const instead = noted.get(at)
    if (instead !== undefined) {
      edits.replace(offsetOf(piece, at), endOf(piece, at), instead)
      continue
    }
    if (kind === TOKEN.quotedIdentifier) requote(piece, at, edits)
    else if (hasOtherQuotes && kind === TOKEN.string) requoteString(piece, at, edits)
    else if (hasVariables && kind === TOKEN.operator && textAt(piece, at) === '@@')
      at += replaceVariable(piece, at, { edits, valueOf })
    else if (hasLimit && kind === TOKEN.word && keywordAt(piece, at) === 'LIMIT')
      at += replaceLimit(piece, at, edits)
  }
  return edits.finish()
}

function requote(piece: Piece, at: number, edits: TextEdits): void {
  const start = offsetOf(piece, at)
  if (piece.text.charAt(start) !== '`' || isUnterminated(piece, at)) return
  const end = endOf(piece, at)
  // Right beside another name in double quotes the two would be one.
  const [before, after] = [start - 1, end].map((place) => (piece.text.charAt(place) === '"' ? ' ' : ''))
  edits.replace(start, end, `${before}${inDoubleQuotes(unquoteIdentifier(textAt(piece, at)))}${after}`)
}

const COUNTS = new Set<number>([TOKEN.number, TOKEN.parameter])

/** Gives how many tokens behind the first belong to it. */
function replaceLimit(piece: Piece, at: number, edits: TextEdits): number {
  if (keywordAt(piece, at + 2) !== ',') return 0
  if (!COUNTS.has(kindAt(piece, at + 1)) || !COUNTS.has(kindAt(piece, at + 3))) return 0
  const [skipped, count] = [textAt(piece, at + 1), textAt(piece, at + 3)]
  edits.replace(offsetOf(piece, at + 1), endOf(piece, at + 3), `${count} OFFSET ${skipped}`)
  return 3
}

const SCOPES = new Set(['SESSION', 'LOCAL', 'GLOBAL'])

/** `@@[session.]name` at a token: what it is, and how many tokens follow the first. */
function variableAt(piece: Piece, at: number): (SystemVariable & { readonly length: number }) | null {
  if (!isName(piece, at + 1)) return null
  const hasScope = SCOPES.has(keywordAt(piece, at + 1)) && keywordAt(piece, at + 2) === '.'
  const length = hasScope ? 3 : 1
  if (!isName(piece, at + length)) return null
  const name = unquoteIdentifier(textAt(piece, at + length)).toLowerCase()
  return { name, offset: offsetOf(piece, at), length }
}

function replaceVariable(
  piece: Piece,
  at: number,
  { edits, valueOf }: { edits: TextEdits; valueOf: ValueOf },
): number {
  const variable = variableAt(piece, at)
  const value = variable && valueOf(variable)
  if (!variable || value === null) return 0
  const last = at + variable.length
  const [start, end] = [offsetOf(piece, at), endOf(piece, last)]
  const literal = /^(?:0|[1-9]\d{0,17})$/.test(value) ? value : quoteString(value)
  const heading = isSelected(piece, at, last) ? ` AS ${inDoubleQuotes(piece.text.slice(start, end))}` : ''
  edits.replace(start, end, literal + heading)
  return variable.length
}

/** Tokens of what is selected that are looked through. */
const LONGEST_LIST = 500
const BEHIND_ITEM = new Set(['', ',', 'FROM', 'LIMIT'])

/** One of what a SELECT gives, without a name of its own: it is called as it is written. */
function isSelected(piece: Piece, first: number, last: number): boolean {
  const before = keywordAt(piece, first - 1)
  if (before !== 'SELECT' && before !== ',') return false
  const next = last + 1 < piece.until ? keywordAt(piece, last + 1) || '?' : ''
  if (!BEHIND_ITEM.has(next)) return false
  if (first - piece.first > LONGEST_LIST) return false
  for (let at = piece.first; at < first; at++)
    if (keywordAt(piece, at) === '(' || keywordAt(piece, at) === 'FROM') return false
  return keywordAt(piece, piece.first) === 'SELECT'
}

/** The `@@variables` of a statement. */
export function systemVariables(piece: Piece): SystemVariable[] {
  if (!piece.text.includes('@@')) return []
  const found: SystemVariable[] = []
  for (let at = piece.first; at < piece.until; at++) {
    if (kindAt(piece, at) !== TOKEN.operator || textAt(piece, at) !== '@@') continue
    const variable = variableAt(piece, at)
    if (variable) found.push({ name: variable.name, offset: variable.offset })
  }
  return found
}
