import type { TokenReader } from './token-reader.ts'
import { openTokenReader } from './token-reader.ts'

export interface WarehouseName {
  name: string
  /** IF NOT EXISTS or IF EXISTS was said: no error when there is nothing to do. */
  lenient: boolean
}

/** Names in small letters, values as they are written. */
export type Properties = Readonly<Record<string, string>>

export interface WarehouseDefinition extends WarehouseName {
  comment?: string
  properties: Properties
}

export interface WarehouseAlteration extends WarehouseName {
  rename?: string
  comment?: string
  properties: Properties
}

const finished = <T>(reader: TokenReader, result: T | null): T | null => (reader.left() === 0 ? result : null)

function takeAll(reader: TokenReader, ...keywords: string[]): boolean {
  const fits = keywords.every((keyword, ahead) => reader.peek(ahead) === keyword)
  if (fits) reader.skip(keywords.length)
  return fits
}

/** A warehouse belongs to the account: its name stands alone. */
function readName(reader: TokenReader, lenient: boolean): WarehouseName | null {
  const parts = reader.qualifiedName()
  const [name, ...others] = parts ?? []
  return name === undefined || others.length > 0 ? null : { name, lenient }
}

/** CREATE WAREHOUSE [IF NOT EXISTS] name [COMMENT [=] 'text'] [[WITH] [PROPERTIES] ("size" = 'Small', ...)] */
export function readCreateWarehouse(text: string): WarehouseDefinition | null {
  const reader = openTokenReader(text)
  if (!takeAll(reader, 'CREATE', 'WAREHOUSE')) return null
  const name = readName(reader, takeAll(reader, 'IF', 'NOT', 'EXISTS'))
  if (!name) return null
  const clauses = readClauses(reader)
  return finished(reader, clauses && { ...name, ...clauses })
}

/** ALTER WAREHOUSE [IF EXISTS] name RENAME TO other, or ... [SET] [COMMENT [=] 'text'] [("size" = 'Large', ...)] */
export function readAlterWarehouse(text: string): WarehouseAlteration | null {
  const reader = openTokenReader(text)
  if (!takeAll(reader, 'ALTER', 'WAREHOUSE')) return null
  const name = readName(reader, takeAll(reader, 'IF', 'EXISTS'))
  if (!name || reader.left() === 0) return null
  if (takeAll(reader, 'RENAME', 'TO')) {
    const other = readName(reader, false)
    return finished(reader, other && { ...name, rename: other.name, properties: {} })
  }
  reader.take('SET')
  if (reader.left() === 0) return null
  const clauses = readClauses(reader)
  return finished(reader, clauses && { ...name, ...clauses })
}

/** DROP WAREHOUSE [IF EXISTS] name */
export const readDropWarehouse = (text: string): WarehouseName | null => readVerb(text, 'DROP')

/** SUSPEND WAREHOUSE [IF EXISTS] name */
export const readSuspendWarehouse = (text: string): WarehouseName | null => readVerb(text, 'SUSPEND')

/** RESUME WAREHOUSE [IF EXISTS] name */
export const readResumeWarehouse = (text: string): WarehouseName | null => readVerb(text, 'RESUME')

/** DESCRIBE|DESC WAREHOUSE [IF EXISTS] name */
export const readDescribeWarehouse = (text: string): WarehouseName | null =>
  readVerb(text, 'DESCRIBE', 'DESC')

function readVerb(text: string, ...verbs: string[]): WarehouseName | null {
  const reader = openTokenReader(text)
  if (!verbs.some((verb) => takeAll(reader, verb, 'WAREHOUSE'))) return null
  return finished(reader, readName(reader, takeAll(reader, 'IF', 'EXISTS')))
}

/** Each clause once, in any order. */
function readClauses(reader: TokenReader): { comment?: string; properties: Properties } | null {
  let comment: string | null = null
  let properties: Properties | null = null
  while (reader.left() > 0) {
    if (comment === null && reader.take('COMMENT')) {
      reader.take('=')
      comment = reader.string()
      if (comment === null) return null
      continue
    }
    if (properties !== null) return null
    reader.take('WITH')
    reader.take('PROPERTIES')
    properties = readProperties(reader)
    if (properties === null) return null
  }
  return { ...(comment === null ? {} : { comment }), properties: properties ?? {} }
}

function readProperties(reader: TokenReader): Properties | null {
  if (!reader.take('(')) return null
  const found = new Map<string, string>()
  do {
    const name = reader.value()?.toLowerCase()
    if (name === undefined || found.has(name) || !reader.take('=')) return null
    const sign = reader.take('-') ?? ''
    const value = reader.value()
    if (value === null) return null
    found.set(name, sign + value)
  } while (reader.take(','))
  return reader.take(')') ? Object.fromEntries(found) : null
}
