import type { Piece } from '../text/piece.ts'
import type { TokenReader } from '../text/token-reader.ts'
import { openTokenReader } from '../text/token-reader.ts'

export interface CatalogDefinition {
  name: string
  /** Its data lies elsewhere. */
  external: boolean
  /** IF NOT EXISTS was said: no error when it is there. */
  lenient: boolean
  comment: string
  /** As they are written, each once. */
  properties: Record<string, string>
}

export interface CatalogDrop {
  name: string
  lenient: boolean
  /** With everything in it. */
  cascade: boolean
}

export interface CatalogRename {
  name: string
  newName: string
}

const finished = <T>(reader: TokenReader, result: T | null): T | null => (reader.left() === 0 ? result : null)

function readName(reader: TokenReader): string | null {
  const [name, ...others] = reader.qualifiedName() ?? []
  return name === undefined || others.length > 0 ? null : name
}

/** CREATE [EXTERNAL] CATALOG [IF NOT EXISTS] name [COMMENT [=] 'text'] [PROPERTIES ('key' = 'value', ...)] */
export function readCreateCatalog(statement: Piece): CatalogDefinition | null {
  const reader = openTokenReader(statement)
  if (!reader.take('CREATE')) return null
  const external = reader.take('EXTERNAL') !== null
  if (!reader.take('CATALOG')) return null
  const lenient = reader.takeAll('IF', 'NOT', 'EXISTS')
  const name = readName(reader)
  if (name === null) return null
  const comment = readComment(reader)
  const properties = readProperties(reader)
  if (comment === null || properties === null) return null
  return finished(reader, { name, external, lenient, comment, properties })
}

function readComment(reader: TokenReader): string | null {
  if (!reader.take('COMMENT')) return ''
  reader.take('=')
  return reader.string()
}

function readProperties(reader: TokenReader): Record<string, string> | null {
  if (!reader.take('PROPERTIES')) return {}
  if (!reader.take('(')) return null
  const properties = new Map<string, string>()
  do {
    const key = reader.value()
    if (key === null || properties.has(key) || !reader.take('=')) return null
    const value = reader.value()
    if (value === null) return null
    properties.set(key, value)
  } while (reader.take(','))
  return reader.take(')') ? Object.fromEntries(properties) : null
}

/** DROP CATALOG [IF EXISTS] name [CASCADE|RESTRICT] */
export function readDropCatalog(statement: Piece): CatalogDrop | null {
  const reader = openTokenReader(statement)
  if (!reader.take('DROP')) return null
  reader.take('EXTERNAL')
  if (!reader.take('CATALOG')) return null
  const lenient = reader.takeAll('IF', 'EXISTS')
  const name = readName(reader)
  const mode = reader.take('CASCADE', 'RESTRICT')
  return finished(reader, name === null ? null : { name, lenient, cascade: mode === 'CASCADE' })
}

/** ALTER CATALOG name RENAME TO name */
export function readRenameCatalog(statement: Piece): CatalogRename | null {
  const reader = openTokenReader(statement)
  if (!reader.takeAll('ALTER', 'CATALOG')) return null
  const name = readName(reader)
  if (name === null || !reader.takeAll('RENAME', 'TO')) return null
  const newName = readName(reader)
  return finished(reader, newName === null ? null : { name, newName })
}
