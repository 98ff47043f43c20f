import { keywordAt, type Piece } from './piece.ts'

const OPENS = new Set(['(', '[', '{'])
const CLOSES = new Set([')', ']', '}'])

/** The next token outside of brackets of any kind that is this one; -1 when there is none. */
export function findTopLevel(piece: Piece, from: number, keyword: string): number {
  let depth = 0
  for (let at = from; at < piece.until; at++) {
    const word = keywordAt(piece, at)
    if (depth === 0 && word === keyword) return at
    if (OPENS.has(word)) depth++
    if (CLOSES.has(word)) depth = Math.max(0, depth - 1)
  }
  return -1
}
