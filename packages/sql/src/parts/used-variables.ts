import { isName, keywordAt, kindAt, offsetOf, type Piece, textAt } from '../text/piece.ts'
import { unquoteIdentifier } from '../text/quoting.ts'
import { TOKEN } from '../text/token.ts'

export interface UsedVariable {
  /** In small letters. */
  readonly name: string
  readonly offset: number
  /** It is given a value there: `@name := value`. */
  readonly isAssigned: boolean
}

/** `@name` at a token, which is followed by its name; null where there is none. */
export function usedVariableAt(piece: Piece, at: number): UsedVariable | null {
  if (kindAt(piece, at) !== TOKEN.operator || textAt(piece, at) !== '@' || !isName(piece, at + 1)) return null
  // With a blank between them it is an operator of the engine.
  if (piece.tokens.ends[at] !== piece.tokens.starts[at + 1]) return null
  const name = unquoteIdentifier(textAt(piece, at + 1)).toLowerCase()
  return { name, offset: offsetOf(piece, at), isAssigned: keywordAt(piece, at + 2) === ':=' }
}

/** The `@variables` of a statement, in words where a single @ stands before the name of one. */
export function usedVariables(piece: Piece): UsedVariable[] {
  if (!piece.text.includes('@')) return []
  const found: UsedVariable[] = []
  for (let at = piece.first; at < piece.until; at++) {
    const variable = usedVariableAt(piece, at)
    if (variable) found.push(variable)
  }
  return found
}
