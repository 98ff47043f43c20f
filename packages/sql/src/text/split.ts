import { Lexer } from './lexer.ts'
import { TOKEN } from './token.ts'
import { type Tokens, tokensOf } from './tokens.ts'

/** One statement of a text, without its semicolon and without blanks and comments around it. */
export interface StatementText {
  readonly text: string
  readonly start: number
  readonly end: number
}

export interface StatementRange {
  readonly start: number
  readonly end: number
  /** Where the statement's semicolon begins, or the text ends. */
  readonly semicolon: number
  /** The indices of its tokens, `until` exclusive. */
  readonly first: number
  readonly until: number
}

const SEMICOLON = ';'.charCodeAt(0)

/** The statements of a text in their order; empty ones are left out. */
export function statementRanges(text: string, tokens: Tokens): StatementRange[] {
  const { kinds, starts, ends, partners } = tokens
  const ranges: StatementRange[] = []
  let first = -1
  const close = (until: number, semicolon: number) => {
    if (first !== -1)
      ranges.push({ start: starts[first] ?? 0, end: ends[until - 1] ?? 0, semicolon, first, until })
    first = -1
  }
  for (let at = 0; at < kinds.length; at++) {
    const start = starts[at] ?? 0
    if (kinds[at] === TOKEN.punctuation && text.charCodeAt(start) === SEMICOLON) {
      close(at, start)
      continue
    }
    if (first === -1) first = at
    // A parenthesis that is never closed hides nothing: the statements after a typo can still be run.
    at = Math.max(at, partners[at] ?? -1)
  }
  close(kinds.length, text.length)
  return ranges
}

const cutOut = (text: string, { start, end }: StatementRange): StatementText => ({
  text: text.slice(start, end),
  start,
  end,
})

export const splitStatements = (text: string): StatementText[] =>
  statementRanges(text, tokensOf(text)).map((range) => cutOut(text, range))

/**
 * What "run the statement at the cursor" runs: the statement the cursor is in or touches, the one it stands
 * behind, or, from within a comment on lines of its own, the statement that the comment leads.
 */
export function statementAt(text: string, offset: number): StatementText | null {
  const ranges = statementRanges(text, tokensOf(text))
  const inside = ranges.findLast((range) => range.start <= offset && offset <= range.semicolon)
  if (inside) return cutOut(text, inside)
  const before = ranges.findLast((range) => range.semicolon < offset)
  const after = ranges.find((range) => range.start > offset)
  const isSameLine = before !== undefined && !/[\r\n]/.test(text.slice(before.semicolon, offset))
  const chosen = !isSameLine && touchesComment(text, offset) ? (after ?? before) : before
  return chosen ? cutOut(text, chosen) : null
}

function touchesComment(text: string, offset: number): boolean {
  const lexer = new Lexer(text)
  while (lexer.next())
    if (lexer.kind === TOKEN.comment && lexer.start <= offset && offset <= lexer.end) return true
  return false
}
