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

/** DuckDB counts rows with a sign. */
const MOST_ROWS = 2n ** 63n - 1n

/** A count that is larger than any table asks for all rows, as LIMIT 5, 18446744073709551615 does. */
const countOf = (text: string): string =>
  /^\d+$/.test(text) && BigInt(text) > MOST_ROWS ? String(MOST_ROWS) : text

/** `LIMIT skipped, count`, which DuckDB knows as LIMIT and OFFSET. */
export function noteLimit(piece: Piece, at: number, edits: TokenEdits): void {
  const first = at + 1
  const endOfFirst = endOfCount(piece, first)
  if (endOfFirst === null) return
  const written = textBetween(piece, first, endOfFirst)
  const counted = countOf(written)
  if (keywordAt(piece, endOfFirst + 1) !== ',') {
    if (counted !== written) edits.set(first, counted)
    return
  }
  const second = endOfFirst + 2
  const endOfSecond = endOfCount(piece, second)
  if (endOfSecond === null) return
  const count = countOf(textBetween(piece, second, endOfSecond))
  edits.replace(first, endOfSecond, `${count} OFFSET ${counted}`)
}
