import type { Piece } from '../text/piece.ts'
import { openTokenReader, type TokenReader } from '../text/token-reader.ts'
import { rest } from './materialized-view-statements.ts'

export type PipeProperties = Readonly<Record<string, string>>

/** What a pipe does with each file: INSERT INTO table [(columns)] SELECT * | columns FROM FILES (…) [WHERE condition] */
export interface PipeInsert {
  /** As it is written, outermost first. */
  readonly table: readonly string[]
  /** Of the table; null: all of them. */
  readonly columns: readonly string[] | null
  /** Of the files; null: all of them. */
  readonly selected: readonly string[] | null
  readonly files: PipeProperties
  readonly where: string | null
}

export interface PipeDefinition {
  readonly name: readonly string[]
  readonly lenient: boolean
  readonly replaces: boolean
  readonly properties: PipeProperties
  readonly insert: PipeInsert
  /** The text of the INSERT. */
  readonly text: string
}

export interface PipeName {
  readonly name: readonly string[]
  readonly lenient: boolean
}

export type PipeChange =
  | { readonly does: 'suspend' | 'resume' | 'retry-all' }
  | { readonly does: 'set'; readonly properties: PipeProperties }
  | { readonly does: 'retry' | 'skip'; readonly file: string }

export interface PipeAlteration extends PipeName {
  readonly change: PipeChange
}

/** CREATE [OR REPLACE] PIPE [IF NOT EXISTS] name [PROPERTIES (…)] AS INSERT … */
export function readCreatePipe(statement: Piece): PipeDefinition | null {
  const reader = openTokenReader(statement)
  if (!reader.take('CREATE')) return null
  const replaces = reader.takeAll('OR', 'REPLACE')
  if (!reader.take('PIPE')) return null
  const lenient = reader.takeAll('IF', 'NOT', 'EXISTS')
  const name = reader.qualifiedName()
  const properties = name && (reader.take('PROPERTIES') ? takeProperties(reader) : {})
  if (!name || !properties || (replaces && lenient) || !reader.take('AS')) return null
  const text = rest(reader)?.text
  const insert = takeInsert(reader)
  return insert && text !== undefined ? { name, lenient, replaces, properties, insert, text } : null
}

/** ALTER PIPE [IF EXISTS] name SUSPEND | RESUME | SET [PROPERTY] (…) | RETRY ALL | RETRY FILE 'path' | SKIP FILE 'path' */
export function readAlterPipe(statement: Piece): PipeAlteration | null {
  const reader = openTokenReader(statement)
  if (!reader.takeAll('ALTER', 'PIPE')) return null
  const lenient = reader.takeAll('IF', 'EXISTS')
  const name = reader.qualifiedName()
  const change = name && takeChange(reader)
  return name && change && reader.left() === 0 ? { name, lenient, change } : null
}

/** DROP PIPE [IF EXISTS] name */
export function readDropPipe(statement: Piece): PipeName | null {
  const reader = openTokenReader(statement)
  return reader.takeAll('DROP', 'PIPE') ? takeLast(reader) : null
}

/** DESC PIPE name */
export function readDescribePipe(statement: Piece): PipeName | null {
  const reader = openTokenReader(statement)
  return reader.take('DESC', 'DESCRIBE') && reader.take('PIPE') ? takeLast(reader) : null
}

function takeLast(reader: TokenReader): PipeName | null {
  const lenient = reader.takeAll('IF', 'EXISTS')
  const name = reader.qualifiedName()
  return name && reader.left() === 0 ? { name, lenient } : null
}

function takeChange(reader: TokenReader): PipeChange | null {
  if (reader.take('SUSPEND', 'PAUSE')) return { does: 'suspend' }
  if (reader.take('RESUME')) return { does: 'resume' }
  if (reader.takeAll('RETRY', 'ALL')) return { does: 'retry-all' }
  if (reader.take('SET')) {
    reader.take('PROPERTY', 'PROPERTIES')
    const properties = takeProperties(reader)
    return properties && { does: 'set', properties }
  }
  const word = reader.take('RETRY', 'SKIP')
  const file = word && reader.take('FILE') ? reader.value() : null
  return file === null ? null : { does: word === 'SKIP' ? 'skip' : 'retry', file }
}

/** ("name" = "value", …), with or without the parentheses; names in small letters, each once. */
function takeProperties(reader: TokenReader): PipeProperties | null {
  const isOpen = reader.take('(') !== null
  const properties = new Map<string, string>()
  do {
    const key = reader.value()?.toLowerCase()
    if (key === undefined || properties.has(key) || !reader.take('=')) return null
    const value = reader.value()
    if (value === null) return null
    properties.set(key, value)
  } while (reader.take(','))
  return isOpen && !reader.take(')') ? null : Object.fromEntries(properties)
}

function takeInsert(reader: TokenReader): PipeInsert | null {
  if (!reader.takeAll('INSERT', 'INTO')) return null
  const table = reader.qualifiedName()
  if (!table) return null
  const columns = reader.take('(') ? takeNames(reader, ')') : null
  if (columns?.length === 0 || !reader.take('SELECT')) return null
  const selected = reader.takeAll('*', 'FROM') ? null : takeNames(reader, 'FROM')
  if (selected?.length === 0 || !reader.takeAll('FILES', '(')) return null
  reader.skip(-1)
  const files = takeProperties(reader)
  if (!files) return null
  const where = reader.take('WHERE') ? (rest(reader)?.text ?? '') : reader.left() === 0 ? null : ''
  return where === '' ? null : { table, columns, selected, files, where }
}

/** Separated by commas, up to the word that ends them; none where they are something else. */
function takeNames(reader: TokenReader, end: string): readonly string[] {
  const names: string[] = []
  do {
    const name = reader.qualifiedName()
    if (name?.length !== 1) return []
    names.push(...name)
  } while (reader.take(','))
  return reader.take(end) ? names : []
}
