import { keywordAt, kindAt, type Piece, textAt, TOKEN, type TokenEdits } from '@boathouse/sql'

const COUNTS = new Set<number>([TOKEN.number, TOKEN.parameter])

/** The last token of a number, a parameter or what is in parentheses; null where something else begins. */
function endOfCount(piece: Piece, at: number): number | null {
  if (COUNTS.has(kindAt(piece, at))) return at
  if (keywordAt(piece, at) !== '(') return null
  const closing = piece.tokens.partners[at] ?? -1
  return closing < 0 || closing >= piece.until ? null : closing
}

function textBetween(piece: Piece, first: number, last: number): string {
  const start = (piece.tokens.starts[first] ?? 0) - piece.start
  return first === last
    ? textAt(piece, first)
    : piece.text.slice(start, (piece.tokens.ends[last] ?? 0) - piece.start)
}

/** `LIMIT skipped, count`, which DuckDB knows as LIMIT and OFFSET. */
export function noteLimit(piece: Piece, at: number, edits: TokenEdits): void {
  const first = at + 1
  const endOfFirst = endOfCount(piece, first)
  if (endOfFirst === null || keywordAt(piece, endOfFirst + 1) !== ',') return
  const second = endOfFirst + 2
  const endOfSecond = endOfCount(piece, second)
  if (endOfSecond === null) return
  const skipped = textBetween(piece, first, endOfFirst)
  const count = textBetween(piece, second, endOfSecond)
  edits.replace(first, endOfSecond, `${count} OFFSET ${skipped}`)
}
