import {
  type CodeName,
  DEFAULT_CATALOG,
  DEFAULT_DATABASE,
  LIMITS,
  MESSAGES,
  namesOf,
  NewCatalog,
  type TableLike,
  withInherited,
  foldedName,
  isSameName,
} from '@boathouse/contract'
import {
  type CatalogDefinition,
  likeMatcher,
  quoteIdentifier,
  readCreateCatalog,
  readDescribe,
  readDropCatalog,
  readRenameCatalog,
  readShow,
  type Statement,
  type StatementKind,
} from '@boathouse/sql'
import type { DescriptionReader } from '../../../engines/engine/descriptions.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { NO_ROWS, ownRows } from '../../query/sessions/own-rows.ts'
import {
  type Answer,
  inCatalogs,
  type LookIn,
  ofCatalogs,
  type SessionTools,
} from '../../query/sessions/session-tools.ts'
import { unreadable } from '../../query/sessions/unreadable.ts'
import type { AllCatalogs } from '../catalogs/all-catalogs.ts'
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

async function showViews(statement: Statement, tools: SessionTools) {
  const show = readShow(statement)
  if (!show) throw unreadable(FORMS.views)
  const { connection, visible, lookInEngine, catalogNamed } = tools
  const database = show.from?.at(-1) ?? selected(connection.database)
  const catalog = await catalogNamed(show.from?.at(-2) ?? connection.catalog)
  const place = { catalog, database }
  const seen = { table: new Set<string>(), view: await visible({ type: 'view', ...place }) }
  const list = { seen, like: show.like, limit: MOST_VIEWS }
  const { names, isCut } = await lookInEngine(inCatalogs((lists) => lists.tables(place, list)))
  const result = ownRows(
    [`Views_in_${database}`],
    names.map((name) => [name]),
  )
  return { result: { ...result, truncated: isCut } }
}

const CATALOG_FORMS = {
  show: "SHOW CATALOGS [LIKE 'pattern']",
  showCreate: 'SHOW CREATE CATALOG name',
  create: `CREATE CATALOG [IF NOT EXISTS] name [COMMENT 'text'], or CREATE EXTERNAL CATALOG name [COMMENT 'text'] PROPERTIES ('type' = 'folder', 'folder' = 'name')`,
  rename: 'ALTER CATALOG name RENAME TO new_name',
  drop: 'DROP CATALOG [IF EXISTS] name [CASCADE]',
} as const

/** Database administrators alone, as for the calls. */
function requireAdministrator({ actor }: SessionTools): void {
  if (!withInherited(actor.activeRoles).includes('db_admin'))
    throw new AppError(
      'NoPermission',
      'This requires the role db_admin. An account or user administrator can grant it.',
    )
}

/** Texts of statements are kept in the history, and secrets never in a text. */
function externalDraft({ name, comment, properties }: CatalogDefinition): NewCatalog {
  const { type, folder = '', ...others } = properties
  if (type !== 'folder' || Object.keys(others).length > 0)
    throw new AppError(
      'QueryFailed',
      `A statement can create external catalogs of the type 'folder', with the property 'folder'. Other types need secrets, which do not belong in SQL text. Create them on the Catalogs page.`,
    )
  const draft = { name, description: comment, metastoreType: 'folder', folder }
  const parsed = NewCatalog.safeParse(draft)
  if (parsed.success) return parsed.data
  throw new AppError('QueryFailed', parsed.error.issues[0]?.message ?? MESSAGES.correctValue)
}

const whoOf = ({ actor, clientIp }: SessionTools) => ({ actor, clientIp: clientIp ?? '' })

/** What IF EXISTS and IF NOT EXISTS make of an error. */
const unless = (code: CodeName, isLenient: boolean) => (error: unknown) => {
  if (!(isLenient && error instanceof AppError && error.code === code)) throw error
}

/** Statements about catalogs: the same functions as behind the calls. */
export function catalogStatements(catalogs: AllCatalogs): Partial<Record<StatementKind, Answer>> {
  return {
    'show-catalogs': async (statement, { actor }) => {
      const show = readShow(statement)
      if (!show) throw unreadable(CATALOG_FORMS.show)
      const isLike = likeMatcher(show.like)
      const rows = (await catalogs.list(actor))
        .filter(({ name }) => isLike(name))
        .map(({ name, type, description = '' }) => [name, type, description])
      return { result: ownRows(['Catalog', 'Type', 'Comment'], rows) }
    },
    'show-create-catalog': async (statement, tools) => {
      const name = readShow(statement)?.from?.at(-1)
      if (name === undefined) throw unreadable(CATALOG_FORMS.showCreate)
      requireAdministrator(tools)
      const text = await catalogs.createStatement(tools.actor, name)
      return { result: ownRows(['Catalog', 'Create Catalog'], [[name, text]]) }
    },
    'create-catalog': async (statement, tools) => {
      const definition = readCreateCatalog(statement)
      const isPlain = definition && Object.keys(definition.properties).length === 0
      if (!definition || definition.external === isPlain) throw unreadable(CATALOG_FORMS.create)
      requireAdministrator(tools)
      const { name, comment: description, lenient, external } = definition
      const made = external
        ? catalogs.add(whoOf(tools), externalDraft(definition))
        : catalogs.create(whoOf(tools), { name, description })
      await made.catch(unless('NameTaken', lenient))
      return { result: NO_ROWS }
    },
    'alter-catalog': async (statement, tools) => {
      const definition = readRenameCatalog(statement)
      if (!definition) throw unreadable(CATALOG_FORMS.rename)
      requireAdministrator(tools)
      const { name, newName } = definition
      const { connection } = tools
      const isHere = isSameName(connection.catalog, name)
      // As ALTER TABLE: whoever writes a statement is not asked whether they mean it.
      await catalogs.rename(whoOf(tools), name, { newName, evenIfUsed: true })
      return { result: NO_ROWS, ...(isHere ? { move: { catalog: newName } } : {}) }
    },
    'drop-catalog': async (statement, tools) => {
      const definition = readDropCatalog(statement)
      if (!definition) throw unreadable(CATALOG_FORMS.drop)
      requireAdministrator(tools)
      const { name, cascade, lenient } = definition
      await catalogs.drop(whoOf(tools), name, cascade).catch(unless('NotFound', lenient))
      const { connection } = tools
      if (!isSameName(connection.catalog, name)) return { result: NO_ROWS }
      const home = { catalog: DEFAULT_CATALOG, database: DEFAULT_DATABASE }
      await tools.runInEngine(ofCatalogs(({ statements }) => statements.enter(home)))
      return { result: NO_ROWS, move: home }
    },
  }
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
