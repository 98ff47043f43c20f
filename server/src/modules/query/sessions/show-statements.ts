import { foldedName } from '@boathouse/contract'
import { likeMatcher, readShow, type ShowStatement, type Statement, type StatementKind } from '@boathouse/sql'
import type { Seen, TableType } from '../../../engines/engine/names.ts'
import { viewKey } from '../gate/authorize-statement.ts'
import { databaseMissing, seenDatabases, trueName } from './database-names.ts'
import { nameForMysql, placeNamed } from './named-place.ts'
import { ownRows } from './own-rows.ts'
import { type Answer, inCatalogs, type SessionEffect, type SessionTools } from './session-tools.ts'
import { speaksMysql, variablesOf } from './session-variables.ts'
import { bothOf, isIn } from './seen-tables.ts'
import { unreadable } from './unreadable.ts'

async function showVariables(statement: Statement, { connection }: SessionTools): Promise<SessionEffect> {
  const isLike = likeMatcher(requireShow(statement).like)
  const rows = Object.entries(variablesOf(connection))
    .filter(([name]) => isLike(name))
    .sort(([a], [b]) => a.localeCompare(b))
  return { result: ownRows(['Variable_name', 'Value'], rows) }
}

/** Refuses what cannot be read: ignoring it would give another result than the user asked for. */
function requireShow(statement: Statement): ShowStatement {
  const show = readShow(statement)
  if (!show) throw unreadable()
  return show
}

async function showDatabases(statement: Statement, tools: SessionTools): Promise<SessionEffect> {
  const { connection, catalogNamed } = tools
  const show = requireShow(statement)
  const catalog = await catalogNamed(show.from?.at(-1) ?? connection.catalog)
  const isMysql = speaksMysql(connection)
  const matching = (await seenDatabases(catalog, tools))
    .map((database) => (isMysql ? nameForMysql({ catalog, database }) : database))
    .filter(likeMatcher(show.like))
  const rows = matching.map((name) => [name])
  return { result: ownRows(['Database'], rows) }
}

/** Of one SHOW TABLES. More are found by LIKE, or in information_schema. */
const MOST_SHOWN = 10_000

/** As information_schema has them. */
const SHOWN_TYPES = { table: 'BASE TABLE', view: 'VIEW' } as const

const ALL_TABLES = /^show\s+all\s/i

type Visible = SessionTools['visible']

/** Whether somebody may see a table or view of any database; each database is asked about once. */
function seenIn(catalog: string, visible: Visible, materialized: ReadonlySet<string>) {
  const seen = new Map<string, Awaited<ReturnType<Visible>>>()
  return async (database: string, name: string, kind: 'table' | 'view'): Promise<boolean> => {
    const type = materialized.has(viewKey({ catalog, database, name })) ? 'materialized_view' : kind
    const key = `${type} ${database}`
    const names = seen.get(key) ?? (await visible({ type, catalog, database }))
    seen.set(key, names)
    return names === 'all' || names.has(foldedName(name))
  }
}

/** Of every database of the catalog. */
async function showAllTables(
  { like, from }: ShowStatement,
  { connection, lookInEngine, visible, materialized, catalogNamed }: SessionTools,
): Promise<SessionEffect> {
  const catalog = await catalogNamed(from?.at(-1) ?? connection.catalog)
  const listed = await lookInEngine(inCatalogs((lists) => lists.allTables(catalog)))
  const isLike = likeMatcher(like)
  const isSeen = seenIn(catalog, visible, await materialized())
  const matching: string[][] = []
  for (const { database, name, type } of listed)
    if (isLike(name) && (await isSeen(database, name, type)))
      matching.push([database, name, SHOWN_TYPES[type]])
  return { result: ownRows(['Database', 'Table', 'Type'], matching) }
}

/** Tables and views, the materialized ones among them. */
async function showTables(statement: Statement, tools: SessionTools): Promise<SessionEffect> {
  const { lookInEngine, visible } = tools
  const show = requireShow(statement)
  if (ALL_TABLES.test(statement.text)) return showAllTables(show, tools)
  const place = await placeNamed(show.from ?? [], tools)
  const [tables, views, materialized, keys] = await Promise.all([
    visible({ type: 'table', ...place }),
    visible({ type: 'view', ...place }),
    visible({ type: 'materialized_view', ...place }),
    tools.materialized(),
  ])
  const isMaterialized = (name: string) => keys.size > 0 && keys.has(viewKey({ ...place, name }))
  const seen = { table: bothOf(tables, materialized), view: views }
  const list = (of: Readonly<Record<TableType, Seen>>) =>
    lookInEngine(inCatalogs((lists) => lists.tables(place, { seen: of, like: show.like, limit: MOST_SHOWN })))
  const { names, isCut } = await list(seen)
  const rows = names.filter((name) =>
    isMaterialized(name) ? isIn(materialized, name) : isIn(tables, name) || isIn(views, name),
  )
  if (names.length === 0 && !(await trueName(place, tools)))
    throw databaseMissing(place, await seenDatabases(place.catalog, tools))
  const heading = `Tables_in_${speaksMysql(tools.connection) ? nameForMysql(place) : place.database}`
  if (!show.full)
    return {
      result: {
        ...ownRows(
          [heading],
          rows.map((name) => [name]),
        ),
        truncated: isCut,
      },
    }
  const ofViews = new Set((await list({ table: NONE, view: views })).names)
  const typed = rows.map((name) => [name, SHOWN_TYPES[ofViews.has(name) ? 'view' : 'table']])
  return { result: { ...ownRows([heading, 'Table_type'], typed), truncated: isCut } }
}

const NONE: ReadonlySet<string> = new Set()

export const SHOW_STATEMENTS: Partial<Record<StatementKind, Answer>> = {
  'show-variables': showVariables,
  'show-databases': showDatabases,
  'show-tables': showTables,
}
