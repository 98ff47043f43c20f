import type { ObjectAction, ObjectChange, ObjectName, ObjectUse } from '../../engine/objects.ts'
import type { SessionHeaders } from '../protocol/session-headers.ts'
import { refused } from '../refused.ts'
import { nameAt, placed, placedSchema, type WrittenName } from './names.ts'
import { requireKnownProperties } from './properties.ts'
import type { ReadStatement } from './statement-kind.ts'
import { findOutside, isQueryAt, nameOf } from './tokens.ts'

/** What a statement does with an object that it names itself, by the text alone: Trino looks such a name up in one place. */
export interface Definition {
  readonly uses: readonly ObjectUse[]
  /** What it would change, once it has finished. */
  readonly changes: readonly ObjectChange[]
  /** Whether something is changed depends on whether this exists, by IF EXISTS, IF NOT EXISTS or OR REPLACE. */
  readonly asksFor: ObjectName | null
  readonly altered: readonly ObjectName[]
  /** More may be changed than is reported. */
  readonly isUntold: boolean
  /** The query of a view or of a new table, and its place in the text; null: it has none. */
  readonly query: { readonly sql: string; readonly from: number } | null
}

type Place = Pick<SessionHeaders, 'catalog' | 'schema'>

const NOTHING = { changes: [], asksFor: null, altered: [], isUntold: false, query: null } as const

const use = (action: ObjectAction, object: ObjectName): ObjectUse => ({ action, object, through: null })

const AS = new Set(['AS'])

/** Null for a statement that defines nothing. */
export function definitionIn(statement: ReadStatement, place: Place): Definition | null {
  switch (statement.kind) {
    case 'create table':
      return createdTable(statement, place)
    case 'create view':
      return createdView(statement, place)
    case 'create schema':
    case 'drop schema':
      return changedSchema(statement, place)
    case 'drop table':
      return dropped(statement, { type: 'table', place })
    case 'drop view':
      return dropped(statement, { type: 'view', place })
    case 'alter table':
      return altered(statement, { type: 'table', place })
    case 'alter view':
      return altered(statement, { type: 'view', place })
    case 'comment':
      return commented(statement, place)
    case 'truncate':
      return onTable(statement, { at: 2, action: 'delete', place })
    case 'analyze':
      return onTable(statement, { at: 1, action: 'alter', place })
    case 'delete':
    case 'insert':
    case 'merge':
    case 'other':
    case 'query':
    case 'transaction':
    case 'update':
      return null
  }
}

/** The place behind these words, or the same one when they are not there. */
function behind({ tokens }: ReadStatement, from: number, ...words: readonly string[]): number {
  return words.every((word, on) => tokens[from + on]?.text === word) ? from + words.length : from
}

function requireName({ tokens }: ReadStatement, at: number): WrittenName {
  const name = nameAt(tokens, at)
  if (!name) throw refused('syntax', 'The name of the object in this statement cannot be read.')
  return name
}

/** What begins with CREATE: its name, and whether something may be there already. */
function newObject(statement: ReadStatement): { name: WrittenName; isReplaced: boolean; isLenient: boolean } {
  const behindReplace = behind(statement, 1, 'OR', 'REPLACE')
  const behindIf = behind(statement, behindReplace + 1, 'IF', 'NOT', 'EXISTS')
  return {
    name: requireName(statement, behindIf),
    isReplaced: behindReplace > 1,
    isLenient: behindIf > behindReplace + 1,
  }
}

function createdTable(statement: ReadStatement, place: Place): Definition {
  const { name, isReplaced, isLenient } = newObject(statement)
  const { tokens } = statement
  const object = placed('table', name, place)
  const as = findOutside(tokens, AS, name.behind)
  requireKnownProperties(tokens.slice(name.behind, as === -1 ? undefined : as))
  if (as === -1 && tokens.slice(name.behind).some(({ text }) => text === 'LIKE'))
    throw refused('permission', 'CREATE TABLE … LIKE is not supported here. Use CREATE TABLE … AS SELECT.')
  return {
    ...NOTHING,
    uses: [use('create', object), ...(isReplaced ? [use('drop', object)] : [])],
    changes: [...(isReplaced ? [{ change: 'dropped', object } as const] : []), { change: 'created', object }],
    asksFor: isReplaced || isLenient ? object : null,
    query: as === -1 ? null : queryBehind(statement, as),
  }
}

function createdView(statement: ReadStatement, place: Place): Definition {
  const { name, isReplaced } = newObject(statement)
  const { tokens } = statement
  const object = placed('view', name, place)
  const as = findOutside(tokens, AS, name.behind)
  if (as === -1) throw refused('syntax', 'The query of this view cannot be read.')
  if (tokens.slice(name.behind, as).some(({ text }) => text === 'INVOKER'))
    throw refused('permission', 'A view runs as its owner. Leave SECURITY INVOKER out.')
  return {
    ...NOTHING,
    uses: [use('create', object), ...(isReplaced ? [use('drop', object)] : [])],
    changes: [...(isReplaced ? [{ change: 'dropped', object } as const] : []), { change: 'created', object }],
    asksFor: isReplaced ? object : null,
    query: queryBehind(statement, as),
  }
}

/** Without the words behind it that say whether its rows go into the table. */
function queryBehind({ sql, tokens }: ReadStatement, as: number): { sql: string; from: number } {
  const last = tokens.slice(-3).map(({ text }) => text)
  const words =
    last.at(-1) !== 'DATA' ? 0 : last.join(' ') === 'WITH NO DATA' ? 3 : last[1] === 'WITH' ? 2 : 0
  const [first, end] = [tokens[as + 1], tokens[tokens.length - 1 - words]]
  if (!first || !end || !isQueryAt(tokens, as + 1)) throw refused('syntax', 'The query cannot be read.')
  return { sql: sql.slice(first.start, end.end), from: first.start }
}

function changedSchema(statement: ReadStatement, place: Place): Definition {
  const isCreated = statement.kind === 'create schema'
  const at = isCreated ? behind(statement, 2, 'IF', 'NOT', 'EXISTS') : behind(statement, 2, 'IF', 'EXISTS')
  const name = requireName(statement, at)
  const object = placedSchema(name, place)
  if (!object) throw refused('syntax', 'The name of a database has at most two parts.')
  const { tokens } = statement
  requireKnownProperties(tokens.slice(name.behind))
  if (tokens.some(({ text }) => text === 'AUTHORIZATION'))
    throw refused('permission', 'Who owns a database is decided by GRANT, and not by this statement.')
  const change = isCreated ? 'created' : 'dropped'
  return {
    ...NOTHING,
    uses: [use(isCreated ? 'create' : 'drop', object)],
    changes: [{ change, object }],
    asksFor: at > 2 ? object : null,
    isUntold: tokens.at(-1)?.text === 'CASCADE',
  }
}

interface OnType {
  readonly type: 'table' | 'view'
  readonly place: Place
}

function dropped(statement: ReadStatement, { type, place }: OnType): Definition {
  const at = behind(statement, 2, 'IF', 'EXISTS')
  const object = placed(type, requireName(statement, at), place)
  return {
    ...NOTHING,
    uses: [use('drop', object)],
    changes: [{ change: 'dropped', object }],
    asksFor: at > 2 ? object : null,
  }
}

const ALLOWED_WORK = new Set(['optimize', 'optimize_manifests', 'expire_snapshots', 'drop_extended_stats'])

function altered(statement: ReadStatement, { type, place }: OnType): Definition {
  const at = behind(statement, 2, 'IF', 'EXISTS')
  const name = requireName(statement, at)
  const object = placed(type, name, place)
  const { tokens } = statement
  const [first, second] = [tokens[name.behind]?.text, tokens[name.behind + 1]?.text]
  if (first === 'SET' && second === 'AUTHORIZATION')
    throw refused('permission', 'Who owns an object is decided by GRANT, and not by this statement.')
  if (first === 'EXECUTE' && !ALLOWED_WORK.has(nameOf(tokens[name.behind + 1]) ?? ''))
    throw refused('permission', 'This work on a table is not supported here.')
  if (first === 'SET' && second === 'PROPERTIES') requireKnownProperties(tokens.slice(name.behind + 2), 0)
  const uses = [use('alter', object)]
  if (first !== 'RENAME' || second !== 'TO')
    return { ...NOTHING, uses, altered: [object], asksFor: at > 2 ? object : null }
  const to = placed(type, requireName(statement, name.behind + 2), {
    catalog: object.catalog,
    schema: object.database ?? '',
  })
  return {
    ...NOTHING,
    uses: [...uses, use('create', to)],
    changes: [{ change: 'renamed', object, to }],
    asksFor: at > 2 ? object : null,
  }
}

function commented(statement: ReadStatement, place: Place): Definition {
  const { tokens } = statement
  const what = tokens[2]?.text
  if (what !== 'TABLE' && what !== 'VIEW' && what !== 'COLUMN')
    throw refused('permission', 'This kind of comment is not supported here.')
  const { parts, behind: end } = requireName(statement, 3)
  const name = { parts: what === 'COLUMN' ? parts.slice(0, -1) : parts, behind: end }
  if (name.parts.length === 0) throw refused('syntax', 'The name of a column begins with its table.')
  const object = placed(what === 'VIEW' ? 'view' : 'table', name, place)
  return { ...NOTHING, uses: [use('alter', object)], altered: [object] }
}

interface OnTable {
  /** Where its name is. */
  readonly at: number
  readonly action: ObjectAction
  readonly place: Place
}

function onTable(statement: ReadStatement, { at, action, place }: OnTable): Definition {
  const object = placed('table', requireName(statement, at), place)
  return { ...NOTHING, uses: [use(action, object)] }
}
