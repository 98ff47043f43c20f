import { foldedName, LIMITS, namesOf, type TableLike } from '@boathouse/contract'
import {
  likeMatcher,
  quoteIdentifier,
  readDescribe,
  readShow,
  type Statement,
  type StatementKind,
} from '@boathouse/sql'
import type { DescriptionReader } from '../../../engines/engine/descriptions.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { ownRows } from '../../query/sessions/own-rows.ts'
import {
  type Answer,
  inCatalogs,
  type LookIn,
  type SessionTools,
} from '../../query/sessions/session-tools.ts'
import { unreadable } from '../../query/sessions/unreadable.ts'
import { noDescriptions } from '../objects/looking.ts'
import { findObject, type FoundObject, type Seeking } from '../objects/place-of.ts'

const inDescriptions =
  <T>(look: (descriptions: DescriptionReader) => Promise<T>): LookIn<T> =>
  async ({ descriptions }, asking) => {
    if (!descriptions) throw noDescriptions()
    return look(descriptions.in(asking))
  }

const FORMS = {
  describe: 'DESCRIBE [[catalog.]database.]name',
  columns: "SHOW [FULL] COLUMNS FROM [[catalog.]database.]name [LIKE 'pattern']",
  create: 'SHOW CREATE TABLE|VIEW [[catalog.]database.]name',
  createDatabase: 'SHOW CREATE DATABASE [catalog.]name',
  views: "SHOW VIEWS [FROM [catalog.]database] [LIKE 'pattern']",
} as const

const selected = (database: string | null): string => {
  if (database !== null) return database
  throw new AppError('QueryFailed', 'No database is selected. Write USE database first.')
}

/** What a name means in the place of the connection; of a table and a view the first that is there. */
async function objectNamed(
  { actor, connection, lookInEngine, visible, may, materialized, catalogNamed }: SessionTools,
  parts: readonly string[],
  kinds: readonly TableLike[],
): Promise<FoundObject> {
  const [name = '', database, outer] = parts.toReversed()
  const catalog = await catalogNamed(outer ?? connection.catalog)
  const place = {
    catalog,
    databaseName: database ?? selected(connection.database),
  }
  const authority: Seeking['authority'] = {
    visible: (_, listed) => visible(listed),
    may: (_, privilege, object) => may({ privilege, object }),
  }
  let missing: unknown
  for (const kind of kinds)
    try {
      const wanted = { ...place, ...namesOf(kind, name) }
      const seeking = { actor, authority, materialized, wanted, catalogNamed: () => catalog }
      return await lookInEngine(inCatalogs((lists) => findObject(lists, seeking)))
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'NotFound')) throw error
      missing ??= error
    }
  throw new AppError('QueryFailed', missing instanceof AppError ? missing.message : 'There is no such table.')
}

const ANY = ['table', 'view', 'materialized_view'] as const

async function columnsOf(tools: SessionTools, parts: readonly string[]) {
  const { place } = await objectNamed(tools, parts, ANY)
  const page = { offset: 0, limit: LIMITS.columnsPerTable }
  const { columns } = await tools.lookInEngine(inDescriptions((all) => all.columns(place, page)))
  return columns
}

const yesNo = (is: boolean): string => (is ? 'YES' : 'NO')

const DESCRIBED = ['Field', 'Type', 'Null', 'Key', 'Default', 'Extra']

async function describe(statement: Statement, tools: SessionTools) {
  const parts = readDescribe(statement)
  if (!parts) throw unreadable(FORMS.describe)
  const rows = (await columnsOf(tools, parts)).map((column) => [
    column.name,
    column.type,
    yesNo(column.nullable),
    column.key,
    column.default,
    '',
  ])
  return { result: ownRows(DESCRIBED, rows) }
}

const FULL = ['Field', 'Type', 'Collation', 'Null', 'Key', 'Default', 'Extra', 'Privileges', 'Comment']

async function showColumns(statement: Statement, tools: SessionTools) {
  const show = readShow(statement)
  if (!show?.from) throw unreadable(FORMS.columns)
  const isLike = likeMatcher(show.like)
  const found = (await columnsOf(tools, show.from)).filter(({ name }) => isLike(name))
  const rows = found.map((column) => {
    const { name, type, key } = column
    const isNull = yesNo(column.nullable)
    return show.full
      ? [name, type, null, isNull, key, column.default, '', '', column.comment]
      : [name, type, isNull, key, column.default, '']
  })
  return { result: ownRows(show.full ? FULL : DESCRIBED, rows) }
}

const showCreate =
  (kinds: readonly TableLike[]): Answer =>
  async (statement, tools) => {
    const show = readShow(statement)
    if (!show?.from) throw unreadable(FORMS.create)
    const { place, access } = await objectNamed(tools, show.from, kinds)
    await tools.require({ privilege: 'SELECT', object: access })
    const text = (await tools.lookInEngine(inDescriptions((all) => all.definition(place)))) ?? ''
    const result =
      place.type === 'view'
        ? ownRows(
            ['View', 'Create View', 'character_set_client', 'collation_connection'],
            [[place.name, text, 'utf8', 'utf8_general_ci']],
          )
        : ownRows(['Table', 'Create Table'], [[place.name, text]])
    return { result }
  }

async function showCreateDatabase(statement: Statement, tools: SessionTools) {
  const show = readShow(statement)
  const [database, outer = tools.connection.catalog] = show?.from?.toReversed() ?? []
  if (database === undefined) throw unreadable(FORMS.createDatabase)
  const catalog = await tools.catalogNamed(outer)
  const seen = await tools.visible({ type: 'database', catalog })
  const name = await tools.lookInEngine(inCatalogs((lists) => lists.databaseNamed({ catalog, database })))
  if (name === null || !(seen === 'all' || seen.has(foldedName(name))))
    throw new AppError(
      'QueryFailed',
      `The database ${database} does not exist. SHOW DATABASES lists those that do.`,
    )
  return {
    result: ownRows(['Database', 'Create Database'], [[name, `CREATE DATABASE ${quoteIdentifier(name)}`]]),
  }
}

/** Of one SHOW VIEWS. */
const MOST_VIEWS = 100_000
const NO_TABLES: ReadonlySet<string> = new Set()

async function showViews(statement: Statement, tools: SessionTools) {
  const show = readShow(statement)
  if (!show) throw unreadable(FORMS.views)
  const { connection, visible, lookInEngine, catalogNamed } = tools
  const database = show.from?.at(-1) ?? selected(connection.database)
  const catalog = await catalogNamed(show.from?.at(-2) ?? connection.catalog)
  const place = { catalog, database }
  const seen = { table: NO_TABLES, view: await visible({ type: 'view', ...place }) }
  const list = { seen, like: show.like, limit: MOST_VIEWS }
  const { names, isCut } = await lookInEngine(inCatalogs((lists) => lists.tables(place, list)))
  const result = ownRows(
    [`Views_in_${database}`],
    names.map((name) => [name]),
  )
  return { result: { ...result, truncated: isCut } }
}

/** Statements that describe tables and views, as the calls do, in the place of the connection. */
export const SCHEMA_STATEMENTS: Partial<Record<StatementKind, Answer>> = {
  describe,
  'show-columns': showColumns,
  'show-create-table': showCreate(['table', 'view']),
  'show-create-view': showCreate(['view']),
  'show-create-database': showCreateDatabase,
  'show-views': showViews,
}
