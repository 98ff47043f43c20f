import { keywordAt, offsetOf, type Piece } from '../text/piece.ts'
import { openTokenReader } from '../text/token-reader.ts'

export interface CreateLikeStatement {
  readonly temporary: boolean
  /** With IF NOT EXISTS. */
  readonly lenient: boolean
  /** Outermost name first. */
  readonly name: readonly string[]
  /** The table that it is to be like. */
  readonly like: readonly string[]
}

/** CREATE [TEMPORARY] TABLE [IF NOT EXISTS] name LIKE other, also with LIKE other in parentheses; null for anything else. */
export function readCreateLike(statement: Piece): CreateLikeStatement | null {
  const reader = openTokenReader(statement)
  if (!reader.take('CREATE')) return null
  const temporary = reader.take('TEMPORARY') !== null
  if (!reader.take('TABLE')) return null
  const lenient = reader.takeAll('IF', 'NOT', 'EXISTS')
  const name = reader.qualifiedName()
  const isEnclosed = reader.take('(') !== null
  if (!reader.take('LIKE')) return null
  const like = reader.qualifiedName()
  if (!name || !like || (isEnclosed && !reader.take(')')) || reader.left() > 0) return null
  return { temporary, lenient, name, like }
}

/** What stands behind the name in a CREATE TABLE: its columns and constraints, without those that point to other tables. */
export function tableBody(statement: Piece): string | null {
  let opening = statement.first
  while (opening < statement.until && keywordAt(statement, opening) !== '(') opening++
  const closing = statement.tokens.partners[opening] ?? -1
  if (closing <= opening || closing >= statement.until) return null
  const parts: string[] = []
  for (let at = opening + 1, first = at; at <= closing; at++) {
    const partner = keywordAt(statement, at) === '(' ? (statement.tokens.partners[at] ?? -1) : -1
    if (partner > at) at = partner
    if (at !== closing && keywordAt(statement, at) !== ',') continue
    if (!pointsToOther(statement, first))
      parts.push(statement.text.slice(offsetOf(statement, first), offsetOf(statement, at)))
    first = at + 1
  }
  return `(${parts.join(', ')})`
}

const pointsToOther = (statement: Piece, first: number): boolean =>
  keywordAt(statement, first) === 'FOREIGN' ||
  (keywordAt(statement, first) === 'CONSTRAINT' && keywordAt(statement, first + 2) === 'FOREIGN')
