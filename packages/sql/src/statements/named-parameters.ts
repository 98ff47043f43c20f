import { analyse } from '../statement.ts'
import type { StatementKind } from '../kinds/statement-kinds.ts'
import { keywordAt, kindAt, type Piece, textAt } from '../text/piece.ts'
import { TextEdits, type Rewriting } from '../text/text-edits.ts'
import { TOKEN } from '../text/token.ts'
import { tokensOf } from '../text/tokens.ts'
import { operandOf } from './prepared-statements.ts'

/** A parameter `:name` or `{{name}}`, by the tokens that it is written with, `until` exclusive. */
interface NamedPlace {
  /** In small letters. Of a range with its end: `period.from`, `period.to`. */
  readonly name: string
  readonly first: number
  readonly until: number
}

const NAME = /^[\p{L}_][\p{L}\p{N}_]{0,63}$/u
const ENDS = new Set(['FROM', 'TO'])
const OPENS = '([{'
const CLOSES = ')]}'

/** A text may hold megabytes without any: most of them are known by this. */
const MAY_HAVE = /:[\p{L}_]|\{\{/u

const startAt = ({ tokens }: Piece, at: number): number => tokens.starts[at] ?? 0
const isAdjacent = (piece: Piece, at: number): boolean =>
  (piece.tokens.ends[at - 1] ?? -1) === startAt(piece, at)

/** `.from` and `.to` behind a name, without a blank between them. */
function rangeEnd(piece: Piece, at: number): string {
  const end = keywordAt(piece, at + 1)
  const isEnd = keywordAt(piece, at) === '.' && ENDS.has(end)
  return isEnd && isAdjacent(piece, at) && isAdjacent(piece, at + 1) ? `.${end.toLowerCase()}` : ''
}

function named(piece: Piece, written: string, { first, until }: Omit<NamedPlace, 'name'>): NamedPlace | null {
  if (!NAME.test(written)) return null
  const end = rangeEnd(piece, until)
  return { name: written.toLowerCase() + end, first, until: end ? until + 2 : until }
}

const isPair = (piece: Piece, at: number, mark: string): boolean =>
  keywordAt(piece, at) === mark && keywordAt(piece, at + 1) === mark && isAdjacent(piece, at + 1)

/** `{{name}}`, with or without blanks inside: no engine reads it as anything. */
function bracedAt(piece: Piece, at: number): NamedPlace | null {
  if (!isPair(piece, at, '{') || kindAt(piece, at + 2) !== TOKEN.word) return null
  const place = named(piece, textAt(piece, at + 2), { first: at, until: at + 3 })
  return place && isPair(piece, place.until, '}') ? { ...place, until: place.until + 2 } : null
}

/** `lambda x, y :x` */
function isBehindLambda(piece: Piece, at: number): boolean {
  let before = at - 1
  while (kindAt(piece, before) === TOKEN.word && keywordAt(piece, before - 1) === ',') before -= 2
  return kindAt(piece, before) === TOKEN.word && keywordAt(piece, before - 1) === 'LAMBDA'
}

/** In a list, a slice or a structure, a colon behind a value belongs to these. */
function isOfBracket(piece: Piece, at: number): boolean {
  const before = keywordAt(piece, at - 1)
  if (kindAt(piece, at - 1) === TOKEN.operator) return false
  if (before === '[')
    return kindAt(piece, at - 2) !== TOKEN.operator && !'(,['.includes(keywordAt(piece, at - 2) || ' ')
  return before !== ',' && before !== ':'
}

function colonAt(piece: Piece, at: number, innermost: string | undefined): NamedPlace | null {
  if (kindAt(piece, at) !== TOKEN.parameter) return null
  const written = textAt(piece, at)
  if (!written.startsWith(':') || isBehindLambda(piece, at)) return null
  if ((innermost === '[' || innermost === '{') && isOfBracket(piece, at)) return null
  return named(piece, written.slice(1), { first: at, until: at + 1 })
}

function* placesIn(piece: Piece): Generator<NamedPlace> {
  const open: string[] = []
  for (let at = piece.first; at < piece.until; at++) {
    const place = bracedAt(piece, at) ?? colonAt(piece, at, open.at(-1))
    if (place) {
      yield place
      at = place.until - 1
    } else if (kindAt(piece, at) === TOKEN.punctuation) {
      const mark = textAt(piece, at)
      if (OPENS.includes(mark)) open.push(mark)
      else if (CLOSES.includes(mark)) open.pop()
    }
  }
}

/** What PREPARE keeps has parameters of its own, for EXECUTE. */
const hasOwn = (kind: StatementKind): boolean => kind === 'prepare'

/** The names of the parameters of a statement, each once, in their order. */
export function namedParameters(statement: Piece & { readonly kind: StatementKind }): string[] {
  if (hasOwn(statement.kind) || !MAY_HAVE.test(statement.text)) return []
  return [...new Set([...placesIn(statement)].map(({ name }) => name))]
}

/** The same of all statements of a text. */
export function namedParametersIn(text: string): string[] {
  if (!MAY_HAVE.test(text)) return []
  return [...new Set(analyse(text).statements.flatMap(namedParameters))]
}

/** The literal of one value, or those of several. */
export type Literals = string | readonly string[]

/** The parenthesis that a token is in; -1 when it is in none. */
function enclosing(piece: Piece, at: number): number {
  for (let before = at - 1; before >= piece.first; before--) {
    const mark = keywordAt(piece, before)
    if (mark === '(') return before
    if (mark === ')') before = piece.tokens.partners[before] ?? before
  }
  return -1
}

/** Several values stand behind IN and nowhere else; null: they do not. */
function listOf(piece: Piece, { first, until }: NamedPlace, literals: readonly string[]): string | null {
  const list = literals.join(', ')
  if (keywordAt(piece, first - 1) === 'IN') return ` (${list}) `
  const isEntry =
    '(,'.includes(keywordAt(piece, first - 1) || ' ') && '),'.includes(keywordAt(piece, until) || ' ')
  return isEntry && keywordAt(piece, enclosing(piece, first) - 1) === 'IN' ? ` ${list} ` : null
}

/**
 * A text alone behind FROM would be the name of a table, and behind AS one of a column. In parentheses it is a value and
 * nothing else.
 */
function writtenAt(piece: Piece, place: NamedPlace, given: Literals): string | null {
  if (typeof given !== 'string') return listOf(piece, place, given)
  if (keywordAt(piece, place.first - 1) === 'IN') return listOf(piece, place, [given])
  return given.startsWith("'") ? ` (${given}) ` : operandOf(piece, place, given)
}

/** The name of a parameter whose values cannot stand where it is. */
export interface Misplaced {
  readonly misplaced: string
}

/**
 * The statement, in standard quotes, with literals in place of its parameters. It has the tokens that it had, and those
 * of the literals: whatever a value holds, it is a value.
 */
export function withNamedValues(
  statement: Piece,
  literals: ReadonlyMap<string, Literals>,
): Rewriting | Misplaced {
  const edits = new TextEdits(statement.text)
  let tokens = statement.until - statement.first
  for (const place of placesIn(statement)) {
    const given = literals.get(place.name)
    if (given === undefined) continue
    const written = writtenAt(statement, place, given)
    if (written === null) return { misplaced: place.name }
    const start = startAt(statement, place.first) - statement.start
    const end = (statement.tokens.ends[place.until - 1] ?? 0) - statement.start
    edits.replace(start, end, written)
    tokens += tokensOf(written).kinds.length - (place.until - place.first)
  }
  const rewriting = edits.finish() ?? { text: statement.text, moves: [] }
  if (tokensOf(rewriting.text).kinds.length !== tokens)
    throw new Error('Values have changed what a statement consists of.')
  return rewriting
}
