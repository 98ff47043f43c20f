import { type Classification, classify } from './kinds/kinds.ts'
import type { Piece } from './text/piece.ts'
import { STANDARD_QUOTES, type Quotes } from './text/quotes.ts'
import { statementRanges } from './text/split.ts'
import type { StatementKind } from './kinds/statement-kinds.ts'
import { TOKEN } from './text/token.ts'
import { tokensOf } from './text/tokens.ts'

/**
 * One statement as its user wrote it, and all that its text says. Made once: everything behind asks this value and never
 * reads the text again. It is plain data: another thread can make it.
 */
export interface Statement extends Piece, Classification {
  /** Where it ends in the text that was analysed. */
  readonly end: number
  /** What in it, or behind it, is opened and never closed. */
  readonly unclosed: Unclosed | null
}

export interface Unclosed {
  readonly what: 'comment' | 'text' | 'name'
  /** What would close it. */
  readonly closing: string
  /** Where it begins, from the beginning of the statement. */
  readonly offset: number
}

export interface Analysis {
  readonly count: number
  /** All of them, or none when there are more than were wanted. */
  readonly statements: readonly Statement[]
}

function unclosedIn({ text, start, tokens, until }: Piece): Unclosed | null {
  if (until < tokens.kinds.length) return null
  if (tokens.openComment >= 0) return { what: 'comment', closing: '*/', offset: tokens.openComment - start }
  if (!tokens.unterminated || until === 0) return null
  const offset = (tokens.starts[until - 1] ?? 0) - start
  const [opening = ''] = /^(?:\$\w*\$|["`])/.exec(text.slice(offset, offset + LONGEST_OPENING)) ?? ["'"]
  const what = tokens.kinds[until - 1] === TOKEN.quotedIdentifier ? 'name' : 'text'
  return { what, closing: opening, offset }
}

/** Of the tag of a text in dollars, as much as is worth repeating. */
const LONGEST_OPENING = 64

function toStatement(piece: Piece, end: number): Statement {
  const { text, start, tokens, first, until } = piece
  const place = { text, start, end, tokens, first, until }
  return { ...place, unclosed: unclosedIn(piece), ...classify(piece) }
}

/** The statements of a text in their order; empty ones are left out. Takes time linear in the length of the text. */
export function analyse(
  text: string,
  mostStatements = Number.POSITIVE_INFINITY,
  quotes: Quotes = STANDARD_QUOTES,
): Analysis {
  const tokens = tokensOf(text, quotes)
  const ranges = statementRanges(text, tokens)
  const wanted = ranges.length > mostStatements ? [] : ranges
  return {
    count: ranges.length,
    statements: wanted.map(({ start, end, first, until }) =>
      toStatement({ text: text.slice(start, end), start, tokens, first, until }, end),
    ),
  }
}

/** A text that is one statement; one of several, or of none, is of the kind 'unknown'. */
export function readStatement(text: string, quotes: Quotes = STANDARD_QUOTES): Statement {
  const tokens = tokensOf(text, quotes)
  return toStatement({ text, start: 0, tokens, first: 0, until: tokens.kinds.length }, text.length)
}

export const kindOf = (text: string): StatementKind => readStatement(text).kind
