import type { Piece } from '../text/piece.ts'
import { openTokenReader } from '../text/token-reader.ts'

/** DESCRIBE|DESC [TABLE] [[catalog.]database.]name: the name, outermost part first. */
export function readDescribe(statement: Piece): string[] | null {
  const reader = openTokenReader(statement)
  if (!reader.take('DESCRIBE', 'DESC')) return null
  // A table may itself be called "table".
  if (reader.left() > 1 && reader.peek(1) !== '.') reader.take('TABLE')
  const name = reader.qualifiedName()
  return reader.left() === 0 ? name : null
}
