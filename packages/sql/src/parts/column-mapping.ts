import { readStatement } from '../statement.ts'
import { isName, kindAt, offsetOf, textAt } from '../text/piece.ts'
import { unquoteIdentifier } from '../text/quoting.ts'
import { TOKEN } from '../text/token.ts'

/** A column that is named, or computed by an expression. */
export interface MappedName {
  readonly name: string
  readonly expression: string | null
}

const OPENS = new Set(['(', '[', '{'])
const CLOSES = new Set([')', ']', '}'])

/** `a, b, c = a + b`: names and what they are computed by, in their order; null where it cannot be read. */
export function readColumnMapping(text: string): MappedName[] | null {
  const piece = readStatement(text)
  if (piece.unclosed) return null
  const { first, until } = piece
  const ends: number[] = []
  let depth = 0
  for (let at = first; at < until; at++) {
    const kind = kindAt(piece, at)
    if (kind !== TOKEN.punctuation && kind !== TOKEN.operator) continue
    const symbol = textAt(piece, at)
    if (OPENS.has(symbol)) depth++
    else if (CLOSES.has(symbol)) depth--
    else if (symbol === ',' && depth === 0) ends.push(at)
  }
  const found: MappedName[] = []
  let begin = first
  for (const end of [...ends, until]) {
    if (begin >= end || !isName(piece, begin)) return null
    const name = unquoteIdentifier(textAt(piece, begin))
    const isBare = end === begin + 1
    if (!isBare && textAt(piece, begin + 1) !== '=') return null
    const expression = isBare ? null : text.slice(offsetOf(piece, begin + 2), offsetOf(piece, end)).trim()
    if (expression === '') return null
    found.push({ name, expression })
    begin = end + 1
  }
  return found
}
