import { keywordAt, kindAt, offsetOf, type Piece, textAt } from './piece.ts'
import { TOKEN } from './token.ts'

export interface LimitPair {
  /** Where its first number stands in the statement. */
  readonly offset: number
  readonly skipped: string
  readonly count: string
}

/** MySQL's `LIMIT skipped, count`, which other engines do not know. */
export function findLimitPair(piece: Piece): LimitPair | null {
  for (let at = piece.first; at < piece.until; at++) {
    if (keywordAt(piece, at) !== 'LIMIT' || keywordAt(piece, at + 2) !== ',') continue
    if (kindAt(piece, at + 1) !== TOKEN.number || kindAt(piece, at + 3) !== TOKEN.number) continue
    const offset = offsetOf(piece, at + 1)
    return { offset, skipped: textAt(piece, at + 1), count: textAt(piece, at + 3) }
  }
  return null
}
