import type { Piece } from './piece.ts'
import { openTokenReader } from './token-reader.ts'

/** COMMENT ON COLUMN, TABLE, VIEW … name: what kind of object it names, in small letters, and the name as it is written. */
export function readCommented(statement: Piece): { readonly object: string; readonly name: string[] } | null {
  const reader = openTokenReader(statement)
  if (!reader.take('COMMENT') || !reader.take('ON')) return null
  const object = reader.peek()
  reader.skip(1)
  const name = reader.qualifiedName()
  return object && name ? { object: object.toLowerCase(), name } : null
}
