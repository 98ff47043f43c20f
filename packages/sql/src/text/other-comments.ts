import { offsetOf, type Piece } from './piece.ts'
import type { Quotes } from './quotes.ts'
import type { TextEdits } from './text-edits.ts'

/** Whether a text may have a comment that standard SQL reads otherwise, or has one where this text has none. */
export const needsOtherComments = (text: string, { comments }: Quotes): boolean =>
  comments === 'mysql' && (text.includes('#') || text.includes('--'))

/** What is between the token before this one and this one: blanks and comments. A blank takes their place. */
export function replaceComments(piece: Piece, at: number, edits: TextEdits): void {
  const start = at === piece.first ? 0 : (piece.tokens.ends[at - 1] ?? 0) - piece.start
  const end = offsetOf(piece, at)
  const gap = piece.text.slice(start, end)
  // Side by side two minus signs would begin a comment.
  const isMinus =
    start > 0 && gap === '' && piece.text.charAt(start - 1) === '-' && piece.text.charAt(end) === '-'
  if (isMinus || gap.includes('#') || gap.includes('--'))
    edits.replace(start, end, gap.includes('\n') ? '\n' : ' ')
}
