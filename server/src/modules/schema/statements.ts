import { LIMITS, namesOf, type TableLike, withInherited } from '@boathouse/contract'
import {
  likeMatcher,
  quoteIdentifier,
  readDefinition,
  readDescribe,
  readShow,
  type Statement,
  type StatementKind,
} from '@boathouse/sql'
import type { Descriptions } from '../../engines/dialect.ts'
import type { Column, ResultRows } from '../../engines/engine.ts'
import { AppError } from '../../kernel/app-error.ts'
import {
  type Answer,
  ofCatalogs,
  type SayTo,
  type SessionTools,
} from '../query/sessions/session-statements.ts'
import { CATALOGS } from './catalogs.ts'
import { columnOf } from './column-of.ts'
import type { ExternalCatalogs } from './external-catalogs.ts'
import { noDescriptions } from './looking.ts'
import { findObject, type FoundObject } from './place-of.ts'

const table = (names: string[], rows: (string | null)[][]): ResultRows => ({
  columns: names.map((name): Column => ({ name, type: 'VARCHAR', family: 'text' })),
  rows,
  truncated: false,
  rowsChanged: null,
})

const ofDescriptions =
  (say: (descriptions: Descriptions) => string): SayTo =>
  ({ descriptions }) => {
    if (!descriptions) throw noDescriptions()
    return say(descriptions)
  }

const unreadable = (form: string) =>
  new AppError('QueryFailed', `This form of the statement is not known here. Write ${form}.`)

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

/** What a name means from where the connection stands; of a table and a view the first that is there. */
async function objectNamed(
  { actor, connection, runInEngine, visible }: SessionTools,
  parts: readonly string[],
  kinds: readonly TableLike[],
): Promise<FoundObject> {
  const [name = '', database, catalog] = parts.toReversed()
  const place = {
    catalog: catalog ?? connection.catalog,
    databaseName: database ?? selected(connection.database),
  }
  const ask = async (say: Parameters<typeof ofCatalogs>[0]) => (await runInEngine(ofCatalogs(say))).rows
  const seen = (_: unknown, listed: Parameters<SessionTools['visible']>[0]) => visible(listed)
  let missing: unknown
  for (const kind of kinds)
    try {
      return await findObject(ask, { actor, visible: seen, wanted: { ...place, ...namesOf(kind, name) } })
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'NotFound')) throw error
      missing ??= error
    }
  throw new AppError('QueryFailed', missing instanceof AppError ? missing.message : 'There is no such table.')
}

const ANY = ['table', 'view'] as const

async function columnsOf(tools: SessionTools, parts: readonly string[]) {
  const { place } = await objectNamed(tools, parts, ANY)
  const page = { offset: 0, limit: LIMITS.columnsPerTable }
  const { rows } = await tools.runInEngine(ofDescriptions((words) => words.columns(place, page)))
  return rows.map(columnOf)
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
    column.primaryKey ? 'PRI' : '',
    column.default,
    '',
  ])
  return { result: table(DESCRIBED, rows) }
}

const FULL = ['Field', 'Type', 'Collation', 'Null', 'Key', 'Default', 'Extra', 'Privileges', 'Comment']

async function showColumns(statement: Statement, tools: SessionTools) {
  const show = readShow(statement)
  if (!show?.from) throw unreadable(FORMS.columns)
  const isLike = likeMatcher(show.like)
  const found = (await columnsOf(tools, show.from)).filter(({ name }) => isLike(name))
  const rows = found.map((column) => {
    const { name, type, nullable, primaryKey } = column
    const [isNull, key] = [yesNo(nullable), primaryKey ? 'PRI' : '']
    return show.full
      ? [name, type, null, isNull, key, column.default, '', '', column.comment]
      : [name, type, isNull, key, column.default, '']
  })
  return { result: table(show.full ? FULL : DESCRIBED, rows) }
}

const showCreate =
  (kinds: readonly TableLike[]): Answer =>
  async (statement, tools) => {
    const show = readShow(statement)
    if (!show?.from) throw unreadable(FORMS.create)
    const { place, access } = await objectNamed(tools, show.from, kinds)
    await tools.require({ privilege: 'SELECT', object: access })
    const { rows } = await tools.runInEngine(ofDescriptions((words) => words.definition(place)))
    const text = rows[0]?.[0] ?? ''
    const result =
      place.type === 'view'
        ? table(
            ['View', 'Create View', 'character_set_client', 'collation_connection'],
            [[place.name, text, 'utf8', 'utf8_general_ci']],
          )
        : table(['Table', 'Create Table'], [[place.name, text]])
    return { result }
  }

async function showCreateDatabase(statement: Statement, tools: SessionTools) {
  const show = readShow(statement)
  const [database, catalog = tools.connection.catalog] = show?.from?.toReversed() ?? []
  if (database === undefined) throw unreadable(FORMS.createDatabase)
  const seen = await tools.visible({ type: 'database', catalog })
  const { rows } = await tools.runInEngine(
    ofCatalogs((catalogs) => catalogs.databaseNamed({ catalog, database })),
  )
  const name = rows[0]?.[0]
  if (name == null || !(seen === 'all' || seen.has(name.toLowerCase())))
    throw new AppError(
      'QueryFailed',
      `The database ${database} does not exist. SHOW DATABASES lists those that do.`,
    )
  return {
    result: table(['Database', 'Create Database'], [[name, `CREATE DATABASE ${quoteIdentifier(name)}`]]),
  }
}

async function showViews(statement: Statement, tools: SessionTools) {
  const show = readShow(statement)
  if (!show) throw unreadable(FORMS.views)
  const { connection, visible, runInEngine } = tools
  const database = show.from?.at(-1) ?? selected(connection.database)
  const catalog = show.from?.at(-2) ?? connection.catalog
  const place = { catalog, database }
  const seen = await visible({ type: 'view', ...place })
  const { rows } = await runInEngine(
    ofCatalogs((catalogs) => catalogs.tables(place, { table: new Set(), view: seen })),
  )
  const isLike = likeMatcher(show.like)
  const matching = rows.filter(([name]) => isLike(name ?? '')).map((row) => [...row])
  return { result: table([`Views_in_${database}`], matching) }
}

const CATALOG_FORMS = {
  show: "SHOW CATALOGS [LIKE 'pattern']",
  showCreate: 'SHOW CREATE CATALOG name',
  drop: 'DROP CATALOG name',
} as const

/** Database administrators alone, as for the calls. */
function requireAdministrator({ actor }: SessionTools): void {
  if (!withInherited(actor.activeRoles).includes('db_admin'))
    throw new AppError(
      'NoPermission',
      'This needs the role db_admin. An account or user administrator can grant it.',
    )
}

/** Statements about catalogs: the same functions as behind the calls. */
export function catalogStatements(external: ExternalCatalogs): Partial<Record<StatementKind, Answer>> {
  return {
    'show-catalogs': async (statement, { actor }) => {
      const show = readShow(statement)
      if (!show) throw unreadable(CATALOG_FORMS.show)
      const isLike = likeMatcher(show.like)
      const rows = [...CATALOGS, ...(await external.list(actor))]
        .filter(({ name }) => isLike(name))
        .map(({ name, type, description = '' }) => [name, type, description])
      return { result: table(['Catalog', 'Type', 'Comment'], rows) }
    },
    'show-create-catalog': async (statement, tools) => {
      const name = readShow(statement)?.from?.at(-1)
      if (name === undefined) throw unreadable(CATALOG_FORMS.showCreate)
      requireAdministrator(tools)
      const text = await external.createStatement(tools.actor, name)
      return { result: table(['Catalog', 'Create Catalog'], [[name, text]]) }
    },
    'drop-catalog': async (statement, tools) => {
      const [name, ...outer] = readDefinition(statement)?.name.toReversed() ?? []
      if (name === undefined || outer.length > 0) throw unreadable(CATALOG_FORMS.drop)
      requireAdministrator(tools)
      await external.drop({ actor: tools.actor, clientIp: tools.clientIp ?? '' }, name)
      return { result: table([], []) }
    },
  }
}

/** Statements that tell what tables and views are made of, as the calls do, from where the connection stands. */
export const SCHEMA_STATEMENTS: Partial<Record<StatementKind, Answer>> = {
  describe,
  'show-columns': showColumns,
  'show-create-table': showCreate(ANY),
  'show-create-view': showCreate(['view']),
  'show-create-database': showCreateDatabase,
  'show-views': showViews,
}
