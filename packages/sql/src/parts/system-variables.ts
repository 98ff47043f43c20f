import { isName, keywordAt, kindAt, offsetOf, type Piece, textAt } from '../text/piece.ts'
import { unquoteIdentifier } from '../text/quoting.ts'
import { TOKEN } from '../text/token.ts'

export interface SystemVariable {
  /** In small letters. */
  readonly name: string
  /** Of its name with the scope before it, in the text of the statement. */
  readonly offset: number
}

const SCOPES = new Set(['SESSION', 'LOCAL', 'GLOBAL'])

/** `@@[session.]name` at a token, and how many tokens follow the first; null where there is none. */
export function systemVariableAt(
  piece: Piece,
  at: number,
): (SystemVariable & { readonly length: number }) | null {
  if (kindAt(piece, at) !== TOKEN.operator || textAt(piece, at) !== '@@') return null
  if (!isName(piece, at + 1)) return null
  const hasScope = SCOPES.has(keywordAt(piece, at + 1)) && keywordAt(piece, at + 2) === '.'
  const length = hasScope ? 3 : 1
  if (!isName(piece, at + length)) return null
  const name = unquoteIdentifier(textAt(piece, at + length)).toLowerCase()
  return { name, offset: offsetOf(piece, at), length }
}

/** The `@@variables` of a statement. */
export function systemVariables(piece: Piece): SystemVariable[] {
  if (!piece.text.includes('@@')) return []
  const found: SystemVariable[] = []
  for (let at = piece.first; at < piece.until; at++) {
    const variable = systemVariableAt(piece, at)
    if (variable) found.push({ name: variable.name, offset: variable.offset })
  }
  return found
}
