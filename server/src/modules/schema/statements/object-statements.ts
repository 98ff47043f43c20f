import { foldedName, type TableLike } from '@boathouse/contract'
import {
  likeMatcher,
  quoteIdentifier,
  readDescribe,
  readShow,
  type Statement,
  type StatementKind,
} from '@boathouse/sql'
import type { DescribedColumn } from '../../../engines/engine/descriptions.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { placeNamed } from '../../query/sessions/named-place.ts'
import { ownRows } from '../../query/sessions/own-rows.ts'
import { type Answer, inCatalogs, type SessionTools } from '../../query/sessions/session-tools.ts'
import { speaksMysql } from '../../query/sessions/session-variables.ts'
import { unreadable } from '../../query/sessions/unreadable.ts'
import { isText, mysqlType } from '../mysql/column-types.ts'
import { createView } from '../mysql/create-table.ts'
import { defaultValue } from '../mysql/default-value.ts'
import { MYSQL_STATEMENTS, mysqlDefinition } from './mysql-statements.ts'
import { ANY, columnsIn, inDescriptions, objectNamed } from './named-object.ts'

const FORMS = {
  describe: "DESCRIBE [[catalog.]database.]name [column | 'pattern']",
  columns: "SHOW [FULL] COLUMNS FROM [[catalog.]database.]name [LIKE 'pattern']",
  create: 'SHOW CREATE TABLE|VIEW [[catalog.]database.]name',
  createDatabase: 'SHOW CREATE DATABASE [catalog.]name',
  views: "SHOW VIEWS [FROM [catalog.]database] [LIKE 'pattern']",
} as const

const yesNo = (is: boolean): string => (is ? 'YES' : 'NO')

const DESCRIBED = ['Field', 'Type', 'Null', 'Key', 'Default', 'Extra']
const FULL = ['Field', 'Type', 'Collation', 'Null', 'Key', 'Default', 'Extra', 'Privileges', 'Comment']

interface ShownColumns {
  readonly name: readonly string[]
  readonly like: string | undefined
  readonly full: boolean
}

/** What a connection is shown of a column: in the words of the engine, or of MySQL. */
function shownColumn(column: DescribedColumn, isMysql: boolean) {
  if (!isMysql) return { type: column.type, collation: null, default: column.default, extra: '' }
  const type = mysqlType(column.type)
  const value = defaultValue(column.default)
  return {
    type,
    collation: isText(type) ? 'utf8mb4_bin' : null,
    default: value?.text ?? null,
    extra: value?.isExpression ? 'DEFAULT_GENERATED' : '',
  }
}

async function describedColumns({ name, like, full }: ShownColumns, tools: SessionTools) {
  const isLike = likeMatcher(like)
  const columns = await columnsIn(tools, await objectNamed(tools, name))
  const isMysql = speaksMysql(tools.connection)
  const rows = columns
    .filter((column) => isLike(column.name))
    .map((column) => {
      const { type, collation, extra, default: value } = shownColumn(column, isMysql)
      const { name: field, key, comment, nullable } = column
      return full
        ? [field, type, collation, yesNo(nullable), key, value, extra, isMysql ? PRIVILEGES : '', comment]
        : [field, type, yesNo(nullable), key, value, extra]
    })
  return { result: ownRows(full ? FULL : DESCRIBED, rows) }
}

/** Of columns there are none of their own: they are those of the table. */
const PRIVILEGES = 'select'

async function describe(statement: Statement, tools: SessionTools) {
  const described = readDescribe(statement)
  if (!described) throw unreadable(FORMS.describe)
  return describedColumns({ name: described.name, like: described.like, full: false }, tools)
}

async function showColumns(statement: Statement, tools: SessionTools) {
  const show = readShow(statement)
  if (!show?.from) throw unreadable(FORMS.columns)
  return describedColumns({ name: show.from, like: show.like, full: show.full }, tools)
}

const VIEW_COLUMNS = ['View', 'Create View', 'character_set_client', 'collation_connection']

const showCreate =
  (kinds: readonly TableLike[]): Answer =>
  async (statement, tools) => {
    const show = readShow(statement)
    if (!show?.from) throw unreadable(FORMS.create)
    const isMysql = speaksMysql(tools.connection)
    const found = await objectNamed(tools, show.from, isMysql && kinds.length > 1 ? ANY : kinds)
    const { place, access } = found
    await tools.require({ privilege: 'SELECT', object: access })
    const definition = async () =>
      (await tools.lookInEngine(inDescriptions((all) => all.definition(place)))) ?? ''
    if (place.type === 'view') {
      const text = await definition()
      const shown = isMysql ? createView(place.name, text) : text
      const [charset, collation] = isMysql ? ['utf8mb4', 'utf8mb4_bin'] : ['utf8', 'utf8_general_ci']
      return { result: ownRows(VIEW_COLUMNS, [[place.name, shown, charset, collation]]) }
    }
    const text = isMysql ? await mysqlDefinition(tools, found) : await definition()
    return { result: ownRows(['Table', 'Create Table'], [[place.name, text]]) }
  }

async function showCreateDatabase(statement: Statement, tools: SessionTools) {
  const show = readShow(statement)
  if (!show?.from) throw unreadable(FORMS.createDatabase)
  const { catalog, database } = await placeNamed(show.from, tools)
  const seen = await tools.visible({ type: 'database', catalog })
  const name = await tools.lookInEngine(inCatalogs((lists) => lists.databaseNamed({ catalog, database })))
  if (name === null || !(seen === 'all' || seen.has(foldedName(name))))
    throw new AppError(
      'QueryFailed',
      `The database ${database} does not exist. SHOW DATABASES lists those that do.`,
      { detail: 'missing-database' },
    )
  const text = speaksMysql(tools.connection)
    ? `CREATE DATABASE \`${name.replaceAll('`', '``')}\` /*!40100 DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin */`
    : `CREATE DATABASE ${quoteIdentifier(name)}`
  return { result: ownRows(['Database', 'Create Database'], [[name, text]]) }
}

/** Of one SHOW VIEWS. */
const MOST_VIEWS = 100_000
const NO_TABLES: ReadonlySet<string> = new Set()

async function showViews(statement: Statement, tools: SessionTools) {
  const show = readShow(statement)
  if (!show) throw unreadable(FORMS.views)
  const { visible, lookInEngine } = tools
  const place = await placeNamed(show.from ?? [], tools)
  const { database } = place
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
  ...MYSQL_STATEMENTS,
}
