import { tokenize } from './lexer.ts'
import type { Token, TokenKind } from './token.ts'

/** A token that means something to a statement: neither blank nor comment nor hint. */
export interface SignificantToken {
  kind: TokenKind
  start: number
  end: number
  unterminated: boolean
  /** Words in capitals, symbols as they are, empty for what can never be a keyword. */
  keyword: string
}

export function significantTokens(text: string): SignificantToken[] {
  const significant: SignificantToken[] = []
  for (const token of tokenize(text)) {
    const { kind, start, end } = token
    if (kind === 'whitespace' || kind === 'comment') continue
    const unterminated = token.unterminated === true
    significant.push({ kind, start, end, unterminated, keyword: keywordOf(text, token) })
  }
  return significant
}

function keywordOf(text: string, { kind, start, end }: Token): string {
  if (kind === 'operator' || kind === 'punctuation') return text.slice(start, end)
  // No keyword has other letters than ASCII's, but the capitals of some are: `ınsert` would be INSERT.
  return kind === 'word' && isAscii(text, start, end) ? text.slice(start, end).toUpperCase() : ''
}

function isAscii(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (text.charCodeAt(at) >= 0x80) return false
  return true
}
