import { matchKind } from '../kinds/match-kind.ts'
import type { Piece } from '../text/piece.ts'
import { readCondition, type RowCondition } from './row-condition.ts'
import type { StatementKind } from '../kinds/statement-kinds.ts'
import type { TokenReader } from '../text/token-reader.ts'
import { openTokenReader } from '../text/token-reader.ts'

type ShowKind = Extract<StatementKind, `show-${string}`>

export interface ShowStatement {
  what: ShowKind
  full: boolean
  /** The catalog, database or table it looks into, outermost first; after SHOW CREATE, the object itself. */
  from?: string[]
  /** A pattern with % and _. */
  like?: string
  /** Of the rows, which. */
  where?: RowCondition
  /** Whose grants. */
  grantee?: { type: 'user' | 'role'; name: string }
}

const isShow = (kind: StatementKind): kind is ShowKind => kind.startsWith('show-')

/** As clients write it for servers that are too old to know the word. */
const FULL_FOR_SOME = /^\s*show\s+\/\*!\d*\s*full\s*\*\//i

/** SHOW [FULL] things [FROM|IN name [FROM|IN database]] [LIKE 'pattern' | WHERE condition] and its relatives. */
export function readShow(statement: Piece): ShowStatement | null {
  const reader = openTokenReader(statement)
  const { kind, length } = matchKind(reader.statement, statement.first)
  if (!isShow(kind)) return null
  const full = reader.peek(1) === 'FULL' || reader.peek(2) === 'FULL' || FULL_FOR_SOME.test(statement.text)
  reader.skip(length)
  const show: ShowStatement = { what: kind, full }
  if (kind.startsWith('show-create-') && !readCreated(reader, show)) return null
  while (reader.left() > 0) if (!readClause(reader, show)) return null
  return show
}

function readCreated(reader: TokenReader, show: ShowStatement): boolean {
  const name = reader.qualifiedName()
  if (name === null) return false
  show.from = name
  return reader.left() === 0
}

function readClause(reader: TokenReader, show: ShowStatement): boolean {
  if (reader.take('FROM', 'IN')) {
    const name = reader.qualifiedName()
    // SHOW COLUMNS FROM table FROM database: the outer name comes last.
    if (name !== null) show.from = [...name, ...(show.from ?? [])]
    return name !== null
  }
  if (reader.take('LIKE')) return assign(reader.string(), (like) => (show.like = like))
  if (reader.take('WHERE')) {
    const where = readCondition(reader)
    if (where) show.where = where
    return where !== null
  }
  if (!reader.take('FOR')) return false
  // Who asks is whose grants are shown where nobody is named.
  if (reader.take('CURRENT_USER')) return reader.left() === 0 || reader.takeAll('(', ')')
  const type = reader.left() > 1 && reader.take('ROLE', 'USER') === 'ROLE' ? 'role' : 'user'
  return assign(reader.value(), (name) => (show.grantee = { type, name }))
}

function assign(value: string | null, set: (value: string) => void): boolean {
  if (value !== null) set(value)
  return value !== null
}
