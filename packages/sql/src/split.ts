import { tokenize } from './lexer.ts'
import { matchParentheses } from './parentheses.ts'
import { openPositions } from './position.ts'
import type { SignificantToken } from './significant-tokens.ts'
import { significantTokens } from './significant-tokens.ts'

/** One statement of a text, without its semicolon and without blanks and comments around it. */
export interface Statement {
  text: string
  start: number
  end: number
  /** Of `start`, counted from 1. */
  line: number
  column: number
}

interface Range {
  start: number
  end: number
  /** Where the statement's semicolon begins, or the text ends. */
  until: number
}

function statementRanges(text: string): Range[] {
  const tokens = significantTokens(text)
  const partners = matchParentheses(tokens)
  const ranges: Range[] = []
  let first: SignificantToken | undefined
  let last: SignificantToken | undefined
  const close = (until: number) => {
    if (first && last) ranges.push({ start: first.start, end: last.end, until })
    first = undefined
    last = undefined
  }
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (token === undefined) break
    if (token.keyword === ';') {
      close(token.start)
      continue
    }
    first ??= token
    // A parenthesis that is never closed hides nothing: the statements after a typo can still be run.
    at = Math.max(at, partners[at] ?? -1)
    last = tokens[at]
  }
  close(text.length)
  return ranges
}

/** The statements of a text in their order; empty ones are left out. */
export function splitStatements(text: string): Statement[] {
  const positionAt = openPositions(text)
  return statementRanges(text).map((range) => toStatement(text, range, positionAt))
}

function toStatement(text: string, range: Range, positionAt = openPositions(text)): Statement {
  const { start, end } = range
  return { text: text.slice(start, end), start, end, ...positionAt(start) }
}

/**
 * What "run the statement at the cursor" runs: the statement the cursor is in or touches, the one it stands
 * behind, or, from within a comment on lines of its own, the statement that the comment leads.
 */
export function statementAt(text: string, offset: number): Statement | null {
  const ranges = statementRanges(text)
  const inside = ranges.findLast((range) => range.start <= offset && offset <= range.until)
  if (inside) return toStatement(text, inside)
  const before = ranges.findLast((range) => range.until < offset)
  const after = ranges.find((range) => range.start > offset)
  const isSameLine = before !== undefined && !/[\r\n]/.test(text.slice(before.until, offset))
  const chosen = !isSameLine && touchesComment(text, offset) ? (after ?? before) : before
  return chosen ? toStatement(text, chosen) : null
}

function touchesComment(text: string, offset: number): boolean {
  return tokenize(text).some(
    (token) => token.kind === 'comment' && token.start <= offset && offset <= token.end,
  )
}
