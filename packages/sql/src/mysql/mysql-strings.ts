import { isUnterminated, keywordAt, kindAt, offsetOf, type Piece, stringAt, textAt } from '../text/piece.ts'
import { textLiteral } from '../text/quoting.ts'
import { isOfEngine } from '../text/quotes.ts'
import type { TextEdits } from '../text/text-edits.ts'
import { TOKEN } from '../text/token.ts'

/** A string literal as engines must get it: what it stands for, quoted anew where they would read it otherwise. */
export function literalAt(piece: Piece, at: number): string {
  const text = textAt(piece, at)
  if (isOfEngine(piece.tokens.quotes) || text.startsWith('$')) return text
  // In parentheses: on the line before another literal it would have its escapes work in that one too.
  if (/^e/i.test(text)) return `(${text})`
  return textLiteral(stringAt(piece, at))
}

/** Right behind one of these, a quote would be a part of what stands before it. */
const CLINGS = /[\p{L}\p{N}_'"`$&]/u

/**
 * Writes a literal of a text with other quotes anew. Blanks keep it from what it touches: of `E"a\\"` an engine would
 * else see E'a\', which does not end there.
 */
export function requoteString(piece: Piece, at: number, edits: TextEdits): void {
  if (isUnterminated(piece, at)) return
  const text = textAt(piece, at)
  const start = offsetOf(piece, at)
  const end = start + text.length
  const literal = literalAt(piece, at) + escapeOf(piece, at)
  if (literal === text) return
  const before = CLINGS.test(piece.text.charAt(start - 1)) ? ' ' : ''
  const after = CLINGS.test(piece.text.charAt(end)) ? ' ' : ''
  edits.replace(start, end, before + literal + after)
}

/** In patterns of other servers a backslash escapes, unless they say what else does. */
function escapeOf(piece: Piece, at: number): string {
  if (!piece.tokens.quotes.escapes || keywordAt(piece, at - 1) !== 'LIKE') return ''
  const isOpen = keywordAt(piece, at + 1) !== 'ESCAPE' && kindAt(piece, at + 1) !== TOKEN.string
  return isOpen && stringAt(piece, at).includes('\\') ? String.raw` ESCAPE '\'` : ''
}
