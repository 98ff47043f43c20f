import type { Piece } from '../text/piece.ts'
import type { TokenReader } from '../text/token-reader.ts'
import { openTokenReader } from '../text/token-reader.ts'

export interface WarehouseName {
  name: string
  /** IF NOT EXISTS or IF EXISTS was said: no error when there is nothing to do. */
  lenient: boolean
}

export interface WarehouseOption {
  /** In small letters. */
  name: string
  /** As it is written, without quotes. */
  value: string
  /** Where its name is in the statement. */
  offset: number
}

export interface WarehouseDefinition extends WarehouseName {
  comment?: string
  /** Each once. */
  options: WarehouseOption[]
}

export interface WarehouseAlteration extends WarehouseDefinition {
  rename?: string
}

const finished = <T>(reader: TokenReader, result: T | null): T | null => (reader.left() === 0 ? result : null)

/** A warehouse belongs to the account: its name has nothing before it. */
function readName(reader: TokenReader, lenient: boolean): WarehouseName | null {
  const parts = reader.qualifiedName()
  const [name, ...others] = parts ?? []
  return name === undefined || others.length > 0 ? null : { name, lenient }
}

/**
 * CREATE WAREHOUSE [IF NOT EXISTS] name, then in any order COMMENT [=] 'text' and options: one by one as in
 * [WITH] size [=] 'Small', or together as in [WITH] [PROPERTIES] ("size" = 'Small', ...). Commas may stand between.
 */
export function readCreateWarehouse(statement: Piece): WarehouseDefinition | null {
  const reader = openTokenReader(statement)
  if (!reader.takeAll('CREATE', 'WAREHOUSE')) return null
  const name = readName(reader, reader.takeAll('IF', 'NOT', 'EXISTS'))
  if (!name) return null
  const clauses = readClauses(reader)
  return finished(reader, clauses && { ...name, ...clauses })
}

/** ALTER WAREHOUSE [IF EXISTS] name RENAME TO other, or ... [SET] and what CREATE WAREHOUSE takes. */
export function readAlterWarehouse(statement: Piece): WarehouseAlteration | null {
  const reader = openTokenReader(statement)
  if (!reader.takeAll('ALTER', 'WAREHOUSE')) return null
  const name = readName(reader, reader.takeAll('IF', 'EXISTS'))
  if (!name || reader.left() === 0) return null
  if (reader.takeAll('RENAME', 'TO')) {
    const other = readName(reader, false)
    return finished(reader, other && { ...name, rename: other.name, options: [] })
  }
  if (reader.peek() === 'RENAME') return null
  reader.take('SET')
  if (reader.left() === 0) return null
  const clauses = readClauses(reader)
  return finished(reader, clauses && { ...name, ...clauses })
}

/** DROP WAREHOUSE [IF EXISTS] name */
export const readDropWarehouse = (statement: Piece): WarehouseName | null => readVerb(statement, 'DROP')

/** SUSPEND WAREHOUSE [IF EXISTS] name */
export const readSuspendWarehouse = (statement: Piece): WarehouseName | null => readVerb(statement, 'SUSPEND')

/** RESUME WAREHOUSE [IF EXISTS] name */
export const readResumeWarehouse = (statement: Piece): WarehouseName | null => readVerb(statement, 'RESUME')

/** DESCRIBE|DESC WAREHOUSE [IF EXISTS] name */
export const readDescribeWarehouse = (statement: Piece): WarehouseName | null =>
  readVerb(statement, 'DESCRIBE', 'DESC')

function readVerb(statement: Piece, ...verbs: string[]): WarehouseName | null {
  const reader = openTokenReader(statement)
  if (!verbs.some((verb) => reader.takeAll(verb, 'WAREHOUSE'))) return null
  return finished(reader, readName(reader, reader.takeAll('IF', 'EXISTS')))
}

/** Each of them once, in any order. */
function readClauses(reader: TokenReader): Pick<WarehouseDefinition, 'comment' | 'options'> | null {
  let comment: string | null = null
  const options: WarehouseOption[] = []
  while (reader.left() > 0) {
    reader.take('WITH', 'SET')
    if (reader.take('PROPERTIES') !== null || reader.peek() === '(') {
      if (!readList(reader, options)) return null
    } else if (reader.take('COMMENT')) {
      if (comment !== null) return null
      reader.take('=')
      comment = reader.string()
      if (comment === null) return null
    } else if (!readOption(reader, options)) return null
    if (reader.take(',') && reader.left() === 0) return null
  }
  const names = new Set(options.map(({ name }) => name))
  if (names.size < options.length) return null
  return { ...(comment === null ? {} : { comment }), options }
}

function readList(reader: TokenReader, options: WarehouseOption[]): boolean {
  if (!reader.take('(')) return false
  do if (!readOption(reader, options)) return false
  while (reader.take(','))
  return reader.take(')') !== null
}

function readOption(reader: TokenReader, options: WarehouseOption[]): boolean {
  const offset = reader.offset()
  const name = reader.value()?.toLowerCase()
  reader.take('=')
  const sign = reader.take('-') ?? ''
  const value = reader.value()
  if (name === undefined || value === null) return false
  options.push({ name, value: sign + value, offset })
  return true
}
