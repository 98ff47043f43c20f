import type { DatabasePlace, Seen } from '../engine/names.ts'
import { parseExpression } from './parse-expression.ts'
import { parseSelect, parseTableName, parseWhere } from './parse-select.ts'
import { refused } from './refused.ts'
import type { ColumnDefinition, Expression, Listed, Statement, Type } from './statements.ts'
import { TokenWalk } from './token-walk.ts'

/** Reads one statement; a text with several, or with none, is refused. */
export function parse(sql: string): Statement {
  const walk = new TokenWalk(sql)
  const statement = parseStatement(walk)
  walk.skip(';')
  if (walk.next.kind !== 'end') throw walk.unexpected()
  return statement
}

type Parser = (walk: TokenWalk) => Statement

const PARSERS: Readonly<Record<string, Parser>> = {
  SELECT: (walk) => ({ kind: 'select', select: parseSelect(walk) }),
  CREATE: parseCreate,
  DROP: parseDrop,
  INSERT: parseInsert,
  UPDATE: parseUpdate,
  DELETE(walk) {
    walk.expect('FROM')
    return { kind: 'delete', table: parseTableName(walk), where: parseWhere(walk) }
  },
  TRUNCATE: (walk) => ({ kind: 'delete', table: parseTableName(walk), where: null }),
  BEGIN: () => ({ kind: 'begin' }),
  COMMIT: () => ({ kind: 'commit' }),
  ROLLBACK: () => ({ kind: 'rollback' }),
  LIST: parseList,
  FIND: parseFind,
  MAKE(walk) {
    const lenient = walk.skip('PERHAPS')
    return { kind: 'make database', lenient, place: parsePlace(walk) }
  },
  UNMAKE(walk) {
    const lenient = walk.skip('PERHAPS')
    return { kind: 'unmake database', lenient, place: parsePlace(walk), withTables: walk.skip('WHOLLY') }
  },
  ENTER: (walk) => ({ kind: 'enter', place: parsePlace(walk) }),
  ZONE: (walk) => ({ kind: 'zone', zone: walk.text() }),
}

function parseStatement(walk: TokenWalk): Statement {
  const first = walk.take()
  const parser = first.kind === 'word' ? PARSERS[first.text] : undefined
  if (!parser) throw walk.unexpected(first)
  return parser(walk)
}

function parsePlace(walk: TokenWalk): DatabasePlace {
  const catalog = walk.name()
  walk.expect('.')
  return { catalog, database: walk.name() }
}

function parseFind(walk: TokenWalk): Statement {
  const type = (['table', 'view', 'function'] as const).find((one) => walk.skip(one.toUpperCase(), 'IN'))
  const place = parsePlace(walk)
  if (!type) return { kind: 'find database', place }
  walk.expect('.')
  return { kind: 'find object', place, object: { type, name: walk.name() } }
}

function parseList(walk: TokenWalk): Statement {
  if (walk.skip('DATABASES')) {
    const catalog = walk.name()
    return { kind: 'list databases', catalog, page: parsePage(walk) }
  }
  if (walk.skip('EVERYTHING')) return { kind: 'list all tables', catalog: walk.name() }
  if (walk.skip('BOTH')) return parseListBoth(walk)
  const type = walk.skip('VIEWS') ? 'view' : 'table'
  if (type === 'table') walk.expect('TABLES')
  const place = parsePlace(walk)
  return { kind: 'list tables', type, place, page: parsePage(walk) }
}

function parseListBoth(walk: TokenWalk): Statement {
  const place = parsePlace(walk)
  walk.expect('TABLES')
  const table = parseSeen(walk)
  walk.expect('VIEWS')
  const view = parseSeen(walk)
  return { kind: 'list both', place, seen: { table, view } }
}

function parsePage(walk: TokenWalk): Listed {
  if (!walk.skip('PAGE')) return { seen: parseSeen(walk) }
  const descending = walk.skip('BACKWARDS')
  const [offset, limit] = [walk.number(), walk.number()]
  walk.expect('WITH')
  const search = walk.text()
  const seen = parseSeen(walk)
  walk.expect('WITHOUT')
  return { descending, offset, limit, search, seen, except: parseNames(walk) }
}

/** Never left out: every listing says what may be seen. */
function parseSeen(walk: TokenWalk): Seen {
  walk.expect('AMONG')
  return walk.skip('ALL') ? 'all' : parseNames(walk)
}

function parseNames(walk: TokenWalk): ReadonlySet<string> {
  walk.expect('(')
  const names = new Set<string>()
  if (walk.next.kind === 'text')
    do names.add(walk.text())
    while (walk.skip(','))
  walk.expect(')')
  return names
}

function parseCreate(walk: TokenWalk): Statement {
  if (walk.skip('VIEW')) {
    const table = parseTableName(walk)
    walk.expect('AS', 'SELECT')
    return { kind: 'create view', table, select: parseSelect(walk) }
  }
  const temporary = walk.skip('TEMP')
  walk.expect('TABLE')
  const lenient = walk.skip('IF', 'NOT', 'EXISTS')
  const table = parseTableName(walk)
  const made = walk.skip('AS', 'SELECT') ? parseSelect(walk) : parseColumns(walk)
  return { kind: 'create table', table, temporary, lenient, made }
}

const TYPE_NAMES: Readonly<Record<string, Type>> = {
  INT: 'INT',
  INTEGER: 'INT',
  BIGINT: 'BIGINT',
  TEXT: 'TEXT',
  VARCHAR: 'TEXT',
  BOOL: 'BOOL',
  BOOLEAN: 'BOOL',
}

function parseColumns(walk: TokenWalk): ColumnDefinition[] {
  walk.expect('(')
  const columns: ColumnDefinition[] = []
  do {
    const name = walk.name()
    const token = walk.take()
    const type = TYPE_NAMES[token.text]
    if (!type) throw refused('missing', `There is no type ${token.written}.`, token.offset)
    columns.push({ name, type, isKey: walk.skip('PRIMARY', 'KEY') })
  } while (walk.skip(','))
  walk.expect(')')
  return columns
}

function parseDrop(walk: TokenWalk): Statement {
  if (!walk.skip('VIEW')) walk.expect('TABLE')
  const lenient = walk.skip('IF', 'EXISTS')
  return { kind: 'drop table', table: parseTableName(walk), lenient }
}

function parseInsert(walk: TokenWalk): Statement {
  walk.expect('INTO')
  const table = parseTableName(walk)
  if (walk.skip('SELECT')) return { kind: 'insert', table, rows: parseSelect(walk) }
  walk.expect('VALUES')
  const rows: Expression[][] = []
  do {
    walk.expect('(')
    const row: Expression[] = []
    do row.push(parseExpression(walk))
    while (walk.skip(','))
    walk.expect(')')
    rows.push(row)
  } while (walk.skip(','))
  return { kind: 'insert', table, rows }
}

function parseUpdate(walk: TokenWalk): Statement {
  const table = parseTableName(walk)
  walk.expect('SET')
  const { offset } = walk.next
  const column = { name: walk.name(), offset }
  walk.expect('=')
  return { kind: 'update', table, column, value: parseExpression(walk), where: parseWhere(walk) }
}
