import { systemVariableAt } from '../parts/system-variables.ts'
import { usedVariableAt } from '../parts/used-variables.ts'
import { keywordAt, kindAt, offsetOf, type Piece } from '../text/piece.ts'
import { needsOtherComments, replaceComments } from '../text/other-comments.ts'
import type { Quotes } from '../text/quotes.ts'
import { inDoubleQuotes, quoteString } from '../text/quoting.ts'
import { needsRequoting, requote } from '../text/requoting.ts'
import { type Rewriting, TextEdits } from '../text/text-edits.ts'
import { TOKEN } from '../text/token.ts'
import { tokensOf } from '../text/tokens.ts'
import { TokenEdits } from './token-edits.ts'

/** How an engine writes what it does not know in the words that people use. */
export interface RenderingRules {
  /** A text without any of these needs none of the rules, and is not read word by word for them. */
  readonly words: RegExp
  /** Reads the statement once and notes what to write instead of its tokens, in time linear in its length. */
  note(piece: Piece, edits: TokenEdits): void
}

export interface Rendering {
  readonly quotes: Quotes
  /** By the names of `@@variables` in small letters; one that is missing is left as it is written. */
  readonly systemVariables: Readonly<Record<string, string>>
  /** By the names of `@variables` in small letters, what the engine reads them by; others are left as they are written. */
  readonly userVariables?: Readonly<Record<string, string>>
  /** Null: the engine has no words of its own. */
  readonly rules: RenderingRules | null
}

/**
 * The text of one statement as an engine reads it, or null when that is the text itself:
 * - names and texts in the quotes of standard SQL: to an engine a backtick is an operator and ends nothing, so that a
 *   semicolon between two of them would part the statement there;
 * - the values of `@@variables`;
 * - what the rules of the engine say.
 */
export function rendered(text: string, rendering: Rendering): Rewriting | null {
  const { quotes, userVariables, rules: all } = rendering
  const hasVariables = text.includes(userVariables ? '@' : '@@')
  const rules = all?.words.test(text) ? all : null
  const hasOtherQuotes = needsRequoting(text, quotes)
  const hasOtherComments = needsOtherComments(text, quotes)
  if (!hasVariables && !hasOtherQuotes && !hasOtherComments && !rules) return null
  const tokens = tokensOf(text, quotes)
  const piece: Piece = { text, start: 0, tokens, first: 0, until: tokens.kinds.length }
  const edits = new TextEdits(text)
  const noted = new TokenEdits()
  rules?.note(piece, noted)
  for (let at = 0; at < piece.until; at++) {
    if (hasOtherComments) replaceComments(piece, at, edits)
    insert(edits, offsetOf(piece, at), noted.beforeOf(at))
    const instead = noted.get(at)
    if (instead) {
      edits.replace(offsetOf(piece, at), endOf(piece, instead.last), instead.text)
      at = instead.last
    } else if (hasVariables && kindAt(piece, at) === TOKEN.operator) {
      at += replaceVariable(piece, at, { ...rendering, edits })
    } else if (hasOtherQuotes) requote(piece, at, edits)
    insert(edits, endOf(piece, at), noted.afterOf(at))
  }
  if (hasOtherComments) replaceComments(piece, piece.until, edits)
  const rewriting = edits.finish()
  const { remarks } = noted
  return rewriting && remarks ? { ...rewriting, remarks } : rewriting
}

function insert(edits: TextEdits, at: number, text: string): void {
  if (text !== '') edits.replace(at, at, text)
}

const endOf = (piece: Piece, at: number): number => (piece.tokens.ends[at] ?? 0) - piece.start

type VariableValues = Pick<Rendering, 'systemVariables' | 'userVariables'>

/** What is written instead of a variable at a token, and how many tokens behind the first belong to it. */
function variableAt(
  piece: Piece,
  at: number,
  { systemVariables, userVariables = {} }: VariableValues,
): { readonly literal: string; readonly length: number } | null {
  const system = systemVariableAt(piece, at)
  const value = system ? ownValue(systemVariables, system.name) : undefined
  if (system && value !== undefined)
    return {
      literal: /^(?:0|[1-9]\d{0,17})$/.test(value) ? value : quoteString(value),
      length: system.length,
    }
  const used = usedVariableAt(piece, at)
  const literal = used ? ownValue(userVariables, used.name) : undefined
  return literal === undefined ? null : { literal, length: 1 }
}

const ownValue = (values: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

/** Gives how many tokens behind the first belong to it. */
function replaceVariable(
  piece: Piece,
  at: number,
  { edits, ...values }: VariableValues & { readonly edits: TextEdits },
): number {
  const variable = variableAt(piece, at, values)
  if (!variable) return 0
  const { literal, length } = variable
  const last = at + length
  const [start, end] = [offsetOf(piece, at), endOf(piece, last)]
  const heading = isSelected(piece, at, last) ? ` AS ${inDoubleQuotes(piece.text.slice(start, end))}` : ''
  edits.replace(start, end, literal + heading)
  return length
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
