import { kindAt, type Piece } from '../text/piece.ts'
import { openTokenReader } from '../text/token-reader.ts'
import { TOKEN } from '../text/token.ts'

export interface DescribeStatement {
  /** Outermost part first. */
  readonly name: readonly string[]
  /** Of its columns, those whose name matches this pattern of LIKE. */
  readonly like?: string
}

/** DESCRIBE|DESC|EXPLAIN [TABLE] [[catalog.]database.]name [column | 'pattern']. */
export function readDescribe(statement: Piece): DescribeStatement | null {
  const reader = openTokenReader(statement)
  if (!reader.take('DESCRIBE', 'DESC', 'EXPLAIN')) return null
  // A table may itself be called "table".
  if (reader.left() > 1 && reader.peek(1) !== '.') reader.take('TABLE')
  const name = reader.qualifiedName()
  if (name === null) return null
  if (reader.left() === 0) return { name }
  // A number is no column: EXPLAIN selec 1 is meant to be a statement.
  const like = kindAt(reader.statement, reader.at()) === TOKEN.number ? null : reader.value()
  return like !== null && reader.left() === 0 ? { name, like } : null
}
