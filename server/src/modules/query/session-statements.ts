import { DatabaseName, DEFAULT_CATALOG, DEFAULT_DATABASE, MESSAGES } from '@boathouse/contract'
import {
  likeMatcher,
  quoteIdentifier,
  quoteString,
  readCreateDatabase,
  readDropDatabase,
  readSetCatalog,
  readSetRole,
  readSetVariable,
  readSetWarehouse,
  readShow,
  readUse,
  type ShowStatement,
  type StatementKind,
} from '@boathouse/sql'
import type { Column, ResultRows } from '../../engines/engine.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { CATALOGS, type DatabasePlace, databaseNamed, databasesIn, tablesIn } from '../schema/listing.ts'
import type { SessionPlace } from './answer.ts'
import type { Connection } from './connections.ts'
import { DidNotFinish, failed } from './ending.ts'
import { shownVariables, withRoles } from './session-roles.ts'
import { VARIABLE_ALIASES, VARIABLES } from './session-variables.ts'

/** What a statement that the service answers itself gives back. */
export interface SessionEffect {
  readonly result: ResultRows
  readonly move?: Partial<SessionPlace & Pick<Connection, 'variables'>>
}

export interface SessionTools {
  /** With the roles that SET ROLE left to the connection. */
  readonly actor: Actor
  /** With all roles that are active for the user. */
  readonly wholeActor: Actor
  readonly connection: Connection
  /** Runs a statement of ours in the connection's engine session; throws what the engine says. */
  runInEngine(sql: string): Promise<ResultRows>
  warehouses(): Promise<readonly { name: string; size: string; status: string; description: string }[]>
}

export type Answer = (sql: string, tools: SessionTools) => Promise<SessionEffect>

const columns = (...names: string[]): Column[] =>
  names.map((name) => ({ name, type: 'VARCHAR', family: 'text' }))
const table = (names: string[], rows: (string | null)[][]): ResultRows => ({
  columns: columns(...names),
  rows,
  truncated: false,
  rowsChanged: null,
})
const nothing: ResultRows = table([], [])

const unreadable = () => new AppError('QueryFailed', 'This form of the statement is not known here.')

async function use(sql: string, { connection, runInEngine }: SessionTools): Promise<SessionEffect> {
  const target = readUse(sql)
  if (!target) throw unreadable()
  const catalog = target.catalog ?? connection.catalog
  const place = { catalog, database: target.database }
  try {
    await runInEngine(`USE ${quoteIdentifier(catalog)}.${quoteIdentifier(place.database)}`)
  } catch (error) {
    const isMissing = error instanceof DidNotFinish && error.ending.errorKind === 'missing'
    throw isMissing ? databaseMissing(place) : error
  }
  const database = (await trueName(place, runInEngine)) ?? place.database
  return { result: nothing, move: { catalog, database } }
}

function databaseMissing({ database }: DatabasePlace): DidNotFinish {
  const message = `The database ${database} does not exist. SHOW DATABASES lists those that do.`
  return new DidNotFinish({ ...failed('QueryFailed', message), errorKind: 'missing' })
}

/** As it was written when the database was created: engines ignore the case of names, clients may not. */
async function trueName(
  place: DatabasePlace,
  runInEngine: SessionTools['runInEngine'],
): Promise<string | null> {
  const { rows } = await runInEngine(databaseNamed(place))
  return rows[0]?.[0] ?? null
}

async function setCatalog(sql: string, { runInEngine }: SessionTools): Promise<SessionEffect> {
  const target = readSetCatalog(sql)
  if (!target) throw unreadable()
  const { catalog } = target
  if (catalog !== DEFAULT_CATALOG) throw new AppError('QueryFailed', `The catalog ${catalog} does not exist.`)
  await runInEngine(`USE ${quoteIdentifier(catalog)}.main`)
  return { result: nothing, move: { catalog, database: 'main' } }
}

/** A database is a schema of the catalog; engines know only the second word. */
async function createDatabase(
  sql: string,
  { connection, runInEngine }: SessionTools,
): Promise<SessionEffect> {
  const definition = readCreateDatabase(sql)
  if (!definition) throw unreadable()
  const name = DatabaseName.safeParse(definition.database)
  if (!name.success) throw new AppError('QueryFailed', name.error.issues[0]?.message ?? MESSAGES.correctValue)
  const path = `${quoteIdentifier(definition.catalog ?? connection.catalog)}.${quoteIdentifier(name.data)}`
  return { result: await runInEngine(`CREATE SCHEMA ${definition.lenient ? 'IF NOT EXISTS ' : ''}${path}`) }
}

async function dropDatabase(sql: string, { connection, runInEngine }: SessionTools): Promise<SessionEffect> {
  const definition = readDropDatabase(sql)
  if (!definition) throw unreadable()
  const { catalog = connection.catalog, database, lenient, cascade } = definition
  const path = `${quoteIdentifier(catalog)}.${quoteIdentifier(database)}`
  if (!cascade) await requireEmpty({ catalog, database }, runInEngine)
  const result = await runInEngine(
    `DROP SCHEMA ${lenient ? 'IF EXISTS ' : ''}${path}${cascade ? ' CASCADE' : ''}`,
  )
  const isHere = catalog === connection.catalog && isSameName(database, connection.database)
  if (!isHere) return { result }
  await runInEngine(`USE ${quoteIdentifier(catalog)}.${quoteIdentifier(DEFAULT_DATABASE)}`)
  return { result, move: { catalog, database: DEFAULT_DATABASE } }
}

const isSameName = (a: string, b: string | null): boolean => a.toLowerCase() === b?.toLowerCase()

/** Not left to the engine: DuckDB 1.5 forgets that a table which was altered is in its schema, and drops both. */
async function requireEmpty(place: DatabasePlace, runInEngine: SessionTools['runInEngine']): Promise<void> {
  const { rows } = await runInEngine(`${tablesIn(place)} ORDER BY 1 LIMIT 4`)
  if (rows.length === 0) return
  const names = rows.slice(0, 3).map(([name]) => name)
  const held = rows.length > 3 ? `${names.join(', ')} and more` : names.join(', ')
  const message = `The database ${place.database} is not empty: it holds ${held}. DROP DATABASE … CASCADE drops all of it.`
  throw new DidNotFinish({ ...failed('QueryFailed', message), errorKind: 'data' })
}

async function setWarehouse(sql: string, { warehouses }: SessionTools): Promise<SessionEffect> {
  const target = readSetWarehouse(sql)
  if (!target) throw unreadable()
  const name = target.warehouse
  const found = (await warehouses()).find((warehouse) => warehouse.name.toLowerCase() === name.toLowerCase())
  if (!found)
    throw new AppError('QueryFailed', `The warehouse ${name} does not exist, or you may not use it.`)
  return { result: nothing, move: { warehouse: found.name } }
}

async function setVariable(sql: string, { connection, runInEngine }: SessionTools): Promise<SessionEffect> {
  const assignment = readSetVariable(sql)
  if (!assignment) throw unreadable()
  const name = VARIABLE_ALIASES[assignment.name] ?? assignment.name
  const variable = VARIABLES[name]
  if (!variable)
    throw new AppError('QueryFailed', `The variable ${name} does not exist. SHOW VARIABLES lists them.`)
  const value = assignment.value === null ? variable.fallback : variable.parse(assignment.value)
  if (name === 'time_zone') await runInEngine(`SET TimeZone = ${quoteString(value)}`)
  return { result: nothing, move: { variables: { ...connection.variables, [name]: value } } }
}

async function setRole(sql: string, { wholeActor, connection }: SessionTools): Promise<SessionEffect> {
  const target = readSetRole(sql)
  if (!target) throw unreadable()
  return { result: nothing, move: { variables: withRoles(connection, wholeActor, target.roles) } }
}

async function showVariables(sql: string, { connection }: SessionTools): Promise<SessionEffect> {
  const values: Record<string, string> = {
    ...Object.fromEntries(Object.entries(VARIABLES).map(([name, { fallback }]) => [name, fallback])),
    ...shownVariables(connection),
    warehouse: connection.warehouse,
  }
  const isLike = likeMatcher(readShow(sql)?.like)
  const rows = Object.entries(values)
    .filter(([name]) => isLike(name))
    .sort(([a], [b]) => a.localeCompare(b))
  return { result: table(['Variable_name', 'Value'], rows) }
}

/** What is not understood is told: without it, the answer would be another than was asked for. */
function requireShow(sql: string): ShowStatement {
  const show = readShow(sql)
  if (!show) throw unreadable()
  return show
}

async function showCatalogs(sql: string): Promise<SessionEffect> {
  const isLike = likeMatcher(requireShow(sql).like)
  const rows = CATALOGS.filter(({ name }) => isLike(name)).map(({ name, type }) => [name, type, ''])
  return { result: table(['Catalog', 'Type', 'Comment'], rows) }
}

async function showDatabases(sql: string, { connection, runInEngine }: SessionTools): Promise<SessionEffect> {
  const show = requireShow(sql)
  const catalog = show.from?.at(-1) ?? connection.catalog
  const { rows } = await runInEngine(`${databasesIn(catalog)} ORDER BY 1`)
  const isLike = likeMatcher(show.like)
  const matching = rows.filter(([name]) => isLike(name ?? '')).map((row) => [...row])
  return { result: table(['Database'], matching) }
}

async function showTables(sql: string, { connection, runInEngine }: SessionTools): Promise<SessionEffect> {
  const show = requireShow(sql)
  const database = show.from?.at(-1) ?? connection.database
  const catalog = show.from?.at(-2) ?? connection.catalog
  if (database === null)
    throw new AppError('QueryFailed', 'No database is selected. Write USE database first.')
  const { rows } = await runInEngine(`${tablesIn({ catalog, database })} ORDER BY 1`)
  const isEmpty = rows.length === 0
  if (isEmpty && !(await trueName({ catalog, database }, runInEngine)))
    throw databaseMissing({ catalog, database })
  const isLike = likeMatcher(show.like)
  const matching = rows.filter(([name]) => isLike(name ?? '')).map((row) => [...row])
  return { result: table([`Tables_in_${database}`], matching) }
}

/** Statements that the service answers itself, the same on every engine and every door. */
export const SESSION_STATEMENTS: Partial<Record<StatementKind, Answer>> = {
  'create-database': createDatabase,
  'drop-database': dropDatabase,
  'use-database': use,
  'set-catalog': setCatalog,
  'set-warehouse': setWarehouse,
  'set-sql-select-limit': setVariable,
  'set-role': setRole,
  'set-variable': setVariable,
  'reset-variable': setVariable,
  'show-variables': showVariables,
  'show-catalogs': showCatalogs,
  'show-databases': showDatabases,
  'show-tables': showTables,
}
