import { foldedName } from '@boathouse/contract'
import { likeMatcher, readShow, type Statement, type StatementKind } from '@boathouse/sql'
import type { DescribedKey } from '../../../engines/engine/descriptions.ts'
import type { ObjectPlace } from '../../../engines/engine/names.ts'
import { viewKey } from '../../query/gate/authorize-statement.ts'
import { seenDatabases } from '../../query/sessions/database-names.ts'
import { placeNamed } from '../../query/sessions/named-place.ts'
import { ownRows } from '../../query/sessions/own-rows.ts'
import { isIn } from '../../query/sessions/seen-tables.ts'
import type { Answer, SessionTools } from '../../query/sessions/session-tools.ts'
import { unreadable } from '../../query/sessions/unreadable.ts'
import { createTable } from '../mysql/create-table.ts'
import { INDEX_COLUMNS, indexRows } from '../mysql/show-index.ts'
import { STATUS_COLUMNS, statusRow } from '../mysql/table-status.ts'
import type { FoundObject } from '../objects/place-of.ts'
import { columnsIn, inDescriptions, objectNamed } from './named-object.ts'

/** A foreign key names another table, which may be one that is not seen. */
async function seenKeys(
  { lookInEngine, visible }: SessionTools,
  place: ObjectPlace,
): Promise<readonly DescribedKey[]> {
  const keys = await lookInEngine(inDescriptions((all) => all.keys(place)))
  if (!keys.some(({ references }) => references)) return keys
  const { catalog, database } = place
  const seen = await visible({ type: 'table', catalog, database })
  return keys.filter(({ references }) => !references || isIn(seen, references.table))
}

/** SHOW CREATE TABLE for clients that read it line by line. */
export async function mysqlDefinition(tools: SessionTools, found: FoundObject): Promise<string> {
  const { place } = found
  const [columns, keys, facts] = [
    await columnsIn(tools, found),
    await seenKeys(tools, place),
    await tools.lookInEngine(inDescriptions((all) => all.object(place))),
  ]
  return createTable({ name: place.name, comment: facts?.comment ?? '', columns, keys })
}

async function showIndex(statement: Statement, tools: SessionTools) {
  const show = readShow(statement)
  if (!show?.from) throw unreadable('SHOW INDEX FROM [[catalog.]database.]name')
  const found = await objectNamed(tools, show.from)
  const { name } = found.place
  const rows = indexRows(name, await columnsIn(tools, found), await seenKeys(tools, found.place))
  return { result: ownRows(INDEX_COLUMNS, rows) }
}

/** Of one SHOW TABLE STATUS. More are found by LIKE, or in information_schema. */
const MOST_SHOWN = 10_000
/** So many are looked at: those among them that are seen may be few. */
const MOST_LOOKED_AT = 100_000

async function showTableStatus(statement: Statement, tools: SessionTools) {
  const show = readShow(statement)
  if (!show) throw unreadable("SHOW TABLE STATUS [FROM [catalog.]database] [LIKE 'pattern']")
  const { visible } = tools
  const place = await placeNamed(show.from ?? [], tools)
  const isLike = likeMatcher(show.like)
  const [tables, views, materialized, keys] = await Promise.all([
    visible({ type: 'table', ...place }),
    visible({ type: 'view', ...place }),
    visible({ type: 'materialized_view', ...place }),
    tools.materialized(),
  ])
  const isMaterialized = (name: string) => keys.size > 0 && keys.has(viewKey({ ...place, name }))
  const isWanted = (name: string, type: 'table' | 'view') => {
    const seen = type === 'view' ? views : isMaterialized(name) ? materialized : tables
    return isLike(name) && (seen === 'all' || seen.has(foldedName(name)))
  }
  const found = await tools.lookInEngine(
    inDescriptions((all) => all.tables(place, { most: MOST_LOOKED_AT, isWanted })),
  )
  const result = ownRows(STATUS_COLUMNS, found.slice(0, MOST_SHOWN).map(statusRow))
  return { result: { ...result, truncated: found.length > MOST_SHOWN } }
}

const ROUTINE_COLUMNS =
  'Db,Name,Type,Definer,Modified,Created,Security_type,Comment,character_set_client,collation_connection,Database Collation'.split(
    ',',
  )
const OF_FUNCTION = ['FUNCTION', null, null, null, 'INVOKER', '', 'utf8mb4', 'utf8mb4_bin', 'utf8mb4_bin']
/** Of one database. */
const MOST_FUNCTIONS = 1_000

const OF_PROCEDURES = /^show\s+procedure\b/i

/** There are functions, and no procedures. */
async function showRoutines(statement: Statement, tools: SessionTools) {
  const show = readShow(statement)
  if (!show) throw unreadable("SHOW PROCEDURE|FUNCTION STATUS [LIKE 'pattern']")
  if (OF_PROCEDURES.test(statement.text)) return { result: ownRows(ROUTINE_COLUMNS, []) }
  const { connection, visible, lookInEngine } = tools
  const { catalog } = connection
  const isLike = likeMatcher(show.like)
  const rows: (string | null)[][] = []
  for (const database of await seenDatabases(catalog, tools)) {
    const seen = await visible({ type: 'function', catalog, database })
    const page = { descending: false, offset: 0, limit: MOST_FUNCTIONS, seen, search: '' }
    const found = await lookInEngine(inDescriptions((all) => all.functionPage({ catalog, database }, page)))
    for (const { name } of found.list) if (isLike(name)) rows.push([database, name, ...OF_FUNCTION])
  }
  return { result: ownRows(ROUTINE_COLUMNS, rows) }
}

/** Statements that clients of MySQL send to learn of tables. */
export const MYSQL_STATEMENTS: Partial<Record<StatementKind, Answer>> = {
  'show-index': showIndex,
  'show-table-status': showTableStatus,
  'show-routine-status': showRoutines,
}
