import { isUnterminated, offsetOf, type Piece, textAt } from './piece.ts'
import { inDoubleQuotes, unquoteIdentifier } from './quoting.ts'
import { TOKEN } from './token.ts'

/**
 * The text of a statement with its backticked identifiers in double quotes. To the engine a backtick is an operator and
 * ends nothing, so a semicolon between two of them would part the statement there: always send this text.
 */
export function requoteBackticks(piece: Piece): string {
  const { text, tokens, first, until } = piece
  if (!text.includes('`')) return text
  const parts: string[] = []
  let copied = 0
  for (let at = first; at < until; at++) {
    if (tokens.kinds[at] !== TOKEN.quotedIdentifier || isUnterminated(piece, at)) continue
    const start = offsetOf(piece, at)
    if (text.charAt(start) !== '`') continue
    const quoted = textAt(piece, at)
    parts.push(text.slice(copied, start), inDoubleQuotes(unquoteIdentifier(quoted)))
    copied = start + quoted.length
  }
  return parts.join('') + text.slice(copied)
}
