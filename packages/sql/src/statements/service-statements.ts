import type { Piece } from '../text/piece.ts'
import type { TokenReader } from '../text/token-reader.ts'
import { openTokenReader } from '../text/token-reader.ts'
import { takeScope } from './set-statement.ts'

/** A database, in the session's catalog unless it names one. */
export interface DatabaseName {
  catalog?: string
  database: string
}

function toDatabaseName(parts: string[] | null): DatabaseName | null {
  const [first, second, ...others] = parts ?? []
  if (first === undefined || others.length > 0) return null
  return second === undefined ? { database: first } : { catalog: first, database: second }
}

const finished = <T>(reader: TokenReader, result: T | null): T | null => (reader.left() === 0 ? result : null)

/** USE [DATABASE|SCHEMA] [catalog.]database */
export function readUse(statement: Piece): DatabaseName | null {
  const reader = openTokenReader(statement)
  if (!reader.take('USE')) return null
  // A database may itself be called "database".
  if (reader.left() > 1 && reader.peek(1) !== '.') reader.take('DATABASE', 'SCHEMA')
  return finished(reader, toDatabaseName(reader.qualifiedName()))
}

/** SET [SESSION] CATALOG [=|TO] name */
export function readSetCatalog(statement: Piece): { catalog: string } | null {
  const catalog = readSetName(statement, 'CATALOG')
  return catalog === null ? null : { catalog }
}

/** SET [SESSION] WAREHOUSE [=|TO] name */
export function readSetWarehouse(statement: Piece): { warehouse: string } | null {
  const warehouse = readSetName(statement, 'WAREHOUSE')
  return warehouse === null ? null : { warehouse }
}

function readSetName(statement: Piece, what: 'CATALOG' | 'WAREHOUSE'): string | null {
  const reader = openTokenReader(statement)
  if (!reader.take('SET') || takeScope(reader) === 'global' || !reader.take(what)) return null
  if (reader.left() > 1) reader.take('=', 'TO')
  return finished(reader, reader.value())
}

export interface DatabaseDefinition extends DatabaseName {
  /** IF NOT EXISTS or IF EXISTS was said: no error when there is nothing to do. */
  lenient: boolean
}

/** CREATE DATABASE|SCHEMA [IF NOT EXISTS] [catalog.]database */
export function readCreateDatabase(statement: Piece): DatabaseDefinition | null {
  const reader = openTokenReader(statement)
  if (!reader.take('CREATE') || !reader.take('DATABASE', 'SCHEMA')) return null
  const lenient = reader.takeAll('IF', 'NOT', 'EXISTS')
  const name = toDatabaseName(reader.qualifiedName())
  return finished(reader, name && { ...name, lenient })
}

/** DROP DATABASE|SCHEMA [IF EXISTS] [catalog.]database [CASCADE|RESTRICT|FORCE] */
export function readDropDatabase(statement: Piece): (DatabaseDefinition & { cascade: boolean }) | null {
  const reader = openTokenReader(statement)
  if (!reader.take('DROP') || !reader.take('DATABASE', 'SCHEMA')) return null
  const lenient = reader.takeAll('IF', 'EXISTS')
  const name = toDatabaseName(reader.qualifiedName())
  const mode = reader.take('CASCADE', 'FORCE', 'RESTRICT')
  return finished(reader, name && { ...name, lenient, cascade: mode === 'CASCADE' || mode === 'FORCE' })
}

/** SET ROLE name[, name ...] | ALL | DEFAULT | NONE */
export function readSetRole(statement: Piece): { roles: string[] | 'ALL' | 'DEFAULT' | 'NONE' } | null {
  const reader = openTokenReader(statement)
  if (!reader.take('SET') || !reader.take('ROLE')) return null
  const word = reader.left() === 1 ? reader.take('ALL', 'DEFAULT', 'NONE') : null
  if (word === 'ALL' || word === 'DEFAULT' || word === 'NONE') return { roles: word }
  const roles: string[] = []
  do {
    const role = reader.value()
    if (role === null) return null
    roles.push(role)
  } while (reader.take(','))
  return finished(reader, { roles })
}

export interface Kill {
  what: 'connection' | 'query'
  /** The number of a connection, or the id of a statement. */
  id: string
}

/** KILL [CONNECTION|QUERY] id */
export function readKill(statement: Piece): Kill | null {
  const reader = openTokenReader(statement)
  if (!reader.take('KILL')) return null
  const word = reader.left() > 1 ? reader.take('CONNECTION', 'QUERY') : null
  const id = reader.value()
  return finished(reader, id === null ? null : { what: word === 'QUERY' ? 'query' : 'connection', id })
}
