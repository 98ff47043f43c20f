import { keywordAt, kindAt, offsetOf, type Piece } from '../text/piece.ts'
import { TOKEN } from '../text/token.ts'

const CONSTANTS = new Set(['NULL', 'TRUE', 'FALSE', ',', '-', '+'])

const isConstant = (piece: Piece, at: number): boolean => {
  const kind = kindAt(piece, at)
  return kind === TOKEN.string || kind === TOKEN.number || CONSTANTS.has(keywordAt(piece, at))
}

/** The closing parenthesis of a group that holds constants and nothing else; null when it is another. */
function constantGroup(piece: Piece, opening: number): number | null {
  if (keywordAt(piece, opening) !== '(') return null
  const closing = piece.tokens.partners[opening] ?? -1
  if (closing < 0) return null
  for (let at = opening + 1; at < closing; at++) if (!isConstant(piece, at)) return null
  return closing
}

/** The first constant of a list, with its sign. */
function firstItem(piece: Piece, opening: number): number {
  let at = opening + 1
  while (keywordAt(piece, at) !== ',' && keywordAt(piece, at) !== ')') at++
  return at
}

/**
 * The statement with one row of constants for each `VALUES (…), (…)` of them, and one constant for each `IN (…)`: it
 * names the same, and is as long as what somebody has thought of.
 */
export function withShorterLists(piece: Piece): string {
  const parts: string[] = []
  let from = 0
  const drop = (first: number, until: number) => {
    parts.push(piece.text.slice(from, offsetOf(piece, first)), ' ')
    from = offsetOf(piece, until)
  }
  for (let at = piece.first; at < piece.until; at++) {
    const word = keywordAt(piece, at)
    if (word !== 'VALUES' && word !== 'IN') continue
    const closing = constantGroup(piece, at + 1)
    if (closing === null) continue
    if (word === 'IN') drop(firstItem(piece, at + 1), closing)
    else drop(closing + 1, endOfRows(piece, closing))
    at = closing
  }
  return parts.join('') + piece.text.slice(from)
}

/** Behind the last of the rows of constants that follow one. */
function endOfRows(piece: Piece, closing: number): number {
  let end = closing
  while (keywordAt(piece, end + 1) === ',') {
    const next = constantGroup(piece, end + 2)
    if (next === null) break
    end = next
  }
  return end + 1
}
