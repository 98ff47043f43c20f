import type { Piece } from '../text/piece.ts'
import { offsetOf, textAt } from '../text/piece.ts'
import type { TokenReader } from '../text/token-reader.ts'
import { openTokenReader } from '../text/token-reader.ts'

const INTERVAL_UNITS = ['second', 'minute', 'hour', 'day', 'week'] as const
export type IntervalUnit = (typeof INTERVAL_UNITS)[number]

/** When a materialized view is refreshed: by hand, from time to time, or after changes of what it reads. */
export type RefreshChoice = { trigger: 'manual' | 'changes' } | ({ trigger: 'schedule' } & Schedule)

/** From time to time. */
export interface Schedule {
  count: number
  unit: IntervalUnit
  /** As it is written; the service knows what a time is. */
  start?: string
}

export interface MaterializedViewDefinition {
  /** As it is written, outermost first. */
  name: string[]
  lenient: boolean
  comment?: string
  refresh: RefreshChoice
  /** It is made without rows, which come with its first refresh. */
  deferred: boolean
  /** By their names in small letters, each once. */
  properties: Map<string, string>
  query: string
  /** Where the query begins in the statement. */
  queryOffset: number
}

export interface MaterializedViewName {
  name: string[]
  lenient: boolean
}

export interface MaterializedViewAlteration extends MaterializedViewName {
  change: 'pause' | 'resume' | RefreshChoice | { newName: string }
}

export interface MaterializedViewRefresh {
  name: string[]
  /** Whether the statement ends with the refresh. */
  waits: boolean
}

const finished = <T>(reader: TokenReader, result: T | null): T | null => (reader.left() === 0 ? result : null)

/** Everything from here to the last token, without the semicolons and comments behind it. */
export function rest(reader: TokenReader): { text: string; offset: number } | null {
  const { statement } = reader
  const last = statement.until - 1
  if (reader.left() === 0) return null
  const offset = reader.offset()
  return {
    text: statement.text.slice(offset, offsetOf(statement, last) + textAt(statement, last).length),
    offset,
  }
}

function readUnit(word: string | undefined): IntervalUnit | null {
  const unit = word?.toLowerCase().replace(/s$/, '')
  return INTERVAL_UNITS.find((known) => known === unit) ?? null
}

/** [(] INTERVAL 5 MINUTE [)], also as INTERVAL '5' MINUTE and INTERVAL '5 minutes' */
function readInterval(reader: TokenReader): { count: number; unit: IntervalUnit } | null {
  const isOpen = reader.take('(') !== null
  if (!reader.take('INTERVAL')) return null
  const [figure, inText] = (reader.value() ?? '').trim().split(/\s+/)
  const unit = readUnit(inText ?? reader.value() ?? undefined)
  const count = /^\d{1,9}$/.test(figure ?? '') ? Number(figure) : 0
  if (unit === null || count === 0 || (isOpen && !reader.take(')'))) return null
  return { count, unit }
}

/** [(] 'time' [)] */
function readStart(reader: TokenReader): string | null {
  const isOpen = reader.take('(') !== null
  const start = reader.string()
  return start === null || (isOpen && !reader.take(')')) ? null : start
}

/** MANUAL | ASYNC [START ('time')] [EVERY (INTERVAL n unit)] | AFTER CHANGES */
function readChoice(reader: TokenReader): RefreshChoice | null {
  if (reader.take('MANUAL')) return { trigger: 'manual' }
  if (reader.takeAll('AFTER', 'CHANGES')) return { trigger: 'changes' }
  if (!reader.take('ASYNC')) return null
  if (reader.peek() !== 'START' && reader.peek() !== 'EVERY') return { trigger: 'changes' }
  const schedule = readSchedule(reader)
  return schedule && { trigger: 'schedule', ...schedule }
}

/** [START ('time')] EVERY (INTERVAL n unit) */
export function readSchedule(reader: TokenReader): Schedule | null {
  const start = reader.take('START') ? readStart(reader) : undefined
  const interval = start !== null && reader.take('EVERY') ? readInterval(reader) : null
  return interval && { ...interval, ...(start == null ? {} : { start }) }
}

/** ('name' = 'value', ...) */
function readProperties(reader: TokenReader): Map<string, string> | null {
  const found = new Map<string, string>()
  if (!reader.take('(')) return null
  do {
    const name = reader.value()?.toLowerCase()
    const value = reader.take('=') ? reader.value() : null
    if (name === undefined || value === null || found.has(name)) return null
    found.set(name, value)
  } while (reader.take(','))
  return reader.take(')') ? found : null
}

type Clauses = Pick<MaterializedViewDefinition, 'comment' | 'refresh' | 'deferred' | 'properties'>

/** Each once, in any order, as far as AS. */
function readClauses(reader: TokenReader): Clauses | null {
  let comment: string | null = null
  let refresh: RefreshChoice | null = null
  let properties: Map<string, string> | null = null
  let deferred = false
  while (!reader.take('AS')) {
    if (comment === null && reader.take('COMMENT')) {
      reader.take('=')
      comment = reader.string()
      if (comment === null) return null
    } else if (refresh === null && reader.take('REFRESH')) {
      deferred = reader.take('IMMEDIATE', 'DEFERRED') === 'DEFERRED'
      refresh = readChoice(reader)
      if (refresh === null) return null
    } else if (properties === null && reader.take('PROPERTIES')) {
      properties = readProperties(reader)
      if (properties === null) return null
    } else return null
  }
  return {
    ...(comment === null ? {} : { comment }),
    refresh: refresh ?? { trigger: 'manual' },
    deferred,
    properties: properties ?? new Map(),
  }
}

/**
 * CREATE MATERIALIZED VIEW [IF NOT EXISTS] name, then in any order [COMMENT 'text'],
 * [REFRESH [IMMEDIATE|DEFERRED] MANUAL | ASYNC [START ('time')] [EVERY (INTERVAL n unit)] | AFTER CHANGES] and
 * [PROPERTIES ("warehouse" = "name")], then AS and a query.
 */
export function readCreateMaterializedView(statement: Piece): MaterializedViewDefinition | null {
  const reader = openTokenReader(statement)
  if (!reader.takeAll('CREATE', 'MATERIALIZED', 'VIEW')) return null
  const lenient = reader.takeAll('IF', 'NOT', 'EXISTS')
  const name = reader.qualifiedName()
  const clauses = name && readClauses(reader)
  const query = clauses && rest(reader)
  return name && clauses && query
    ? { name, lenient, ...clauses, query: query.text, queryOffset: query.offset }
    : null
}

/** DROP MATERIALIZED VIEW [IF EXISTS] name */
export function readDropMaterializedView(statement: Piece): MaterializedViewName | null {
  const reader = openTokenReader(statement)
  if (!reader.takeAll('DROP', 'MATERIALIZED', 'VIEW')) return null
  const lenient = reader.takeAll('IF', 'EXISTS')
  const name = reader.qualifiedName()
  return finished(reader, name && { name, lenient })
}

/** REFRESH MATERIALIZED VIEW name [FORCE] [WITH SYNC|ASYNC MODE] */
export function readRefreshMaterializedView(statement: Piece): MaterializedViewRefresh | null {
  const reader = openTokenReader(statement)
  if (!reader.takeAll('REFRESH', 'MATERIALIZED', 'VIEW')) return null
  const name = reader.qualifiedName()
  // It is always refreshed as a whole.
  reader.take('FORCE')
  const isAsync = reader.takeAll('WITH', 'ASYNC', 'MODE')
  if (!isAsync) reader.takeAll('WITH', 'SYNC', 'MODE')
  return finished(reader, name && { name, waits: !isAsync })
}

/** ALTER MATERIALIZED VIEW [IF EXISTS] name PAUSE | INACTIVE | RESUME | ACTIVE | REFRESH ... */
export function readAlterMaterializedView(statement: Piece): MaterializedViewAlteration | null {
  const reader = openTokenReader(statement)
  if (!reader.takeAll('ALTER', 'MATERIALIZED', 'VIEW')) return null
  const lenient = reader.takeAll('IF', 'EXISTS')
  const name = reader.qualifiedName()
  const word = name && reader.take('PAUSE', 'INACTIVE', 'RESUME', 'ACTIVE', 'REFRESH', 'RENAME')
  if (!name || !word) return null
  if (word === 'RENAME') {
    reader.take('TO')
    const [newName, ...more] = reader.qualifiedName() ?? []
    return finished(reader, newName && more.length === 0 ? { name, lenient, change: { newName } } : null)
  }
  if (word !== 'REFRESH') {
    const change = word === 'PAUSE' || word === 'INACTIVE' ? 'pause' : 'resume'
    return finished(reader, { name, lenient, change })
  }
  const change = readChoice(reader)
  return finished(reader, change && { name, lenient, change })
}
