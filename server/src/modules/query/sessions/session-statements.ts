import { DEFAULT_DATABASE, objectOf } from '@boathouse/contract'
import {
  likeMatcher,
  nearest,
  readCreateDatabase,
  readDropDatabase,
  readSetCatalog,
  readSetRole,
  readSetVariable,
  readSetWarehouse,
  readShow,
  readStatement,
  readUse,
  type ShowStatement,
  type Statement,
  type StatementKind,
} from '@boathouse/sql'
import type { Catalogs, DatabasePlace, Seen } from '../../../engines/dialect.ts'
import type { AskedNames, Engine, NamesFound, ResultRows } from '../../../engines/engine.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { newDatabaseName, notEmpty, requireOwn } from '../../schema/database-names.ts'
import type { SessionPlace } from '../answers/answer.ts'
import type { ListedPlace } from '../../access/authority.ts'
import { viewKey, type Wanted } from '../gate/authority.ts'
import { CLIENT_STATEMENTS } from './client-statements.ts'
import type { Connection } from './connections.ts'
import { DidNotFinish, failed, withError } from '../running/ending.ts'
import { NO_ROWS, ownRows } from './own-rows.ts'
import { PREPARED_STATEMENTS } from './prepared.ts'
import { withRoles } from './session-roles.ts'
import { unreadable } from './unreadable.ts'
import { readAssignment, withoutVariable } from './user-variables.ts'
import {
  engineZone,
  isFixed,
  noSuchVariable,
  VARIABLE_ALIASES,
  VARIABLES,
  variablesOf,
} from './session-variables.ts'

/** What a statement that the service answers itself gives back. */
export interface SessionEffect {
  readonly result: ResultRows
  readonly move?: Partial<SessionPlace & Pick<Connection, 'warehouseId' | 'variables'>>
}

/** Puts a statement of ours into the words of the engine that will run it. */
export type SayTo = (engine: Pick<Engine, 'dialect' | 'catalogs' | 'descriptions'>) => string

export interface SessionTools {
  /** With the roles that SET ROLE left to the connection. */
  readonly actor: Actor
  /** With all roles that are active for the user. */
  readonly wholeActor: Actor
  readonly connection: Connection
  /** Where the statement comes from, where that is known. */
  readonly clientIp: string | null
  /** Aborted when the user stops it. */
  readonly stop: AbortSignal
  /** Throws unless the actor may. */
  require(wanted: Wanted): Promise<void>
  may(wanted: Wanted): Promise<boolean>
  /** The true name of a catalog that is there and that the actor may use; throws where there is none. */
  catalogNamed(name: string): Promise<string>
  /** The names that the actor may see in a list, in small letters. */
  visible(place: ListedPlace): Promise<ReadonlySet<string> | 'all'>
  /** The materialized views of the account, by `viewKey`: engines take them for tables. */
  materialized(): Promise<ReadonlySet<string>>
  /** Runs a statement of ours in the connection's engine session; throws what the engine says. */
  runInEngine(say: SayTo): Promise<ResultRows>
  /** Names that the engine has at hand; null where it has not, and in a transaction, which may have made others. */
  names(asked: AskedNames): Promise<NamesFound | null>
  warehouses(): Promise<readonly { warehouse_id: string; name: string }[]>
}

export type Answer = (statement: Statement, tools: SessionTools) => Promise<SessionEffect>

/** Of databases and what is in them, where the engine has any. */
export const ofCatalogs =
  (say: (catalogs: Catalogs) => string): SayTo =>
  ({ catalogs }) => {
    if (!catalogs) throw new AppError('QueryFailed', 'The engine of this account has no databases.')
    return say(catalogs)
  }

async function use(statement: Statement, tools: SessionTools): Promise<SessionEffect> {
  const target = readUse(statement)
  if (!target) throw unreadable()
  return enter(target, tools)
}

async function enter(
  target: { catalog?: string; database: string },
  tools: SessionTools,
): Promise<SessionEffect> {
  const { connection, runInEngine, catalogNamed } = tools
  const catalog = await catalogNamed(target.catalog ?? connection.catalog)
  const place = { catalog, database: target.database }
  try {
    await runInEngine(ofCatalogs((catalogs) => catalogs.enter(place)))
  } catch (error) {
    const isMissing = error instanceof DidNotFinish && error.ending.error?.kind === 'missing'
    if (!isMissing) throw error
    // USE names a database before a catalog.
    const whole = target.catalog === undefined ? await enteredCatalog(target.database, tools) : null
    if (whole) return whole
    throw databaseMissing(place, await seenDatabases(catalog, tools))
  }
  const database = (await trueName(place, runInEngine)) ?? place.database
  return { result: NO_ROWS, move: { catalog, database } }
}

/** Null when there is no catalog of this name. */
async function enteredCatalog(name: string, tools: SessionTools): Promise<SessionEffect | null> {
  try {
    return await moveTo(await tools.catalogNamed(name), tools)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

async function moveTo(catalog: string, { runInEngine }: SessionTools): Promise<SessionEffect> {
  const place = { catalog, database: DEFAULT_DATABASE }
  await runInEngine(ofCatalogs((catalogs) => catalogs.enter(place)))
  return { result: NO_ROWS, move: place }
}

/** Those of the catalog that the actor may see. */
async function seenDatabases(catalog: string, { runInEngine, visible }: SessionTools): Promise<string[]> {
  const seen = await visible({ type: 'database', catalog })
  const { rows } = await runInEngine(ofCatalogs((catalogs) => catalogs.databases(catalog, seen)))
  return rows.map(([name]) => name ?? '')
}

const proposal = (name: string, names: readonly string[]): string => {
  const meant = nearest(name, names)
  return meant === null ? '' : ` Did you mean ${meant}?`
}

function databaseMissing({ database }: DatabasePlace, others: readonly string[]): DidNotFinish {
  const message = `The database ${database} does not exist. SHOW DATABASES lists those that do.${proposal(database, others)}`
  return new DidNotFinish(withError(failed('QueryFailed', message), { kind: 'missing' }))
}

/** As it was written when the database was created: engines ignore the case of names, clients may not. */
async function trueName(
  place: DatabasePlace,
  runInEngine: SessionTools['runInEngine'],
): Promise<string | null> {
  const { rows } = await runInEngine(ofCatalogs((catalogs) => catalogs.databaseNamed(place)))
  return rows[0]?.[0] ?? null
}

async function setCatalog(statement: Statement, tools: SessionTools): Promise<SessionEffect> {
  const target = readSetCatalog(statement)
  if (!target) throw unreadable()
  return moveTo(await tools.catalogNamed(target.catalog), tools)
}

async function createDatabase(
  statement: Statement,
  { connection, runInEngine, require, catalogNamed }: SessionTools,
): Promise<SessionEffect> {
  const definition = readCreateDatabase(statement)
  if (!definition) throw unreadable()
  const { database, lenient } = definition
  const catalog = await catalogNamed(definition.catalog ?? connection.catalog)
  await require({ privilege: 'CREATE DATABASE', object: objectOf('catalog', { catalog }) })
  const isThere = lenient && isSameName(database, DEFAULT_DATABASE)
  const say = ofCatalogs((catalogs) => {
    const name = isThere ? DEFAULT_DATABASE : newDatabaseName(database, catalogs)
    return catalogs.createDatabase({ catalog, database: name }, { ifNotExists: lenient })
  })
  return { result: await runInEngine(say) }
}

async function dropDatabase(
  statement: Statement,
  { connection, runInEngine, require, catalogNamed }: SessionTools,
): Promise<SessionEffect> {
  const definition = readDropDatabase(statement)
  if (!definition) throw unreadable()
  const { database, lenient, cascade } = definition
  const catalog = await catalogNamed(definition.catalog ?? connection.catalog)
  await require({ privilege: 'DROP', object: objectOf('database', { catalog, database }) })
  const place = { catalog, database }
  if (!cascade) await requireEmpty(place, runInEngine)
  const result = await runInEngine(
    ofCatalogs((catalogs) => {
      requireOwn(database, catalogs)
      return catalogs.dropDatabase(place, { ifExists: lenient, cascade })
    }),
  )
  const isHere = catalog === connection.catalog && isSameName(database, connection.database)
  if (!isHere) return { result }
  const home = { catalog, database: DEFAULT_DATABASE }
  await runInEngine(ofCatalogs((catalogs) => catalogs.enter(home)))
  return { result, move: home }
}

const isSameName = (a: string, b: string | null): boolean => a.toLowerCase() === b?.toLowerCase()

/** Not left to the engine: one forgets that a table which was altered is in its database, and drops both. */
async function requireEmpty(place: DatabasePlace, runInEngine: SessionTools['runInEngine']): Promise<void> {
  const { rows } = await runInEngine(
    ofCatalogs((catalogs) => {
      requireOwn(place.database, catalogs)
      return catalogs.tables(place, { table: 'all', view: 'all' }, 4)
    }),
  )
  if (rows.length === 0) return
  const message = notEmpty(
    place.database,
    rows.map(([name]) => name),
  )
  throw new DidNotFinish(withError(failed('QueryFailed', message), { kind: 'data' }))
}

async function setWarehouse(statement: Statement, { warehouses }: SessionTools): Promise<SessionEffect> {
  const target = readSetWarehouse(statement)
  if (!target) throw unreadable()
  const name = target.warehouse
  const own = await warehouses()
  const found = own.find((warehouse) => warehouse.name.toLowerCase() === name.toLowerCase())
  if (!found) {
    const names = own.map((warehouse) => warehouse.name)
    const message = `The warehouse ${name} does not exist, or you may not use it.${proposal(name, names)}`
    throw new AppError('QueryFailed', message)
  }
  return { result: NO_ROWS, move: { warehouseId: found.warehouse_id, warehouse: found.name } }
}

/** SET schema = 'database' and SET search_path = 'catalog.database' are USE in the words of the engine. */
const PLACE_VARIABLES = new Set(['schema', 'search_path'])

async function setVariable(statement: Statement, tools: SessionTools): Promise<SessionEffect> {
  const { connection, runInEngine } = tools
  const assignment = readSetVariable(statement)
  if (!assignment) throw unreadable()
  if (PLACE_VARIABLES.has(assignment.name) && assignment.value !== null) {
    const place = readUse(readStatement(`USE ${assignment.value}`))
    if (!place) throw new AppError('QueryFailed', `${assignment.name} takes the name of one database here.`)
    return enter(place, tools)
  }
  if (assignment.scope === 'global')
    throw new AppError(
      'QueryFailed',
      'A variable holds for one connection: there is no GLOBAL one. Write SET name = value.',
    )
  const name = VARIABLE_ALIASES[assignment.name] ?? assignment.name
  const variable = VARIABLES[name]
  if (!variable)
    throw new AppError(
      'QueryFailed',
      isFixed(name) ? `The variable ${name} cannot be changed here.` : noSuchVariable(name),
    )
  const value = assignment.value === null ? variable.fallback : variable.parse(assignment.value)
  if (name === 'default_collation' && value !== '')
    await runInEngine(({ dialect }) => dialect.useCollation(value))
  if (name === 'time_zone') await runInEngine(({ dialect }) => dialect.setTimeZone(engineZone(value)))
  return { result: NO_ROWS, move: { variables: { ...connection.variables, [name]: value } } }
}

async function resetUserVariable(statement: Statement, { connection }: SessionTools): Promise<SessionEffect> {
  return {
    result: NO_ROWS,
    move: { variables: withoutVariable(connection, readAssignment(statement)) },
  }
}

async function setRole(
  statement: Statement,
  { wholeActor, connection }: SessionTools,
): Promise<SessionEffect> {
  const target = readSetRole(statement)
  if (!target) throw unreadable()
  return { result: NO_ROWS, move: { variables: withRoles(connection, wholeActor, target.roles) } }
}

async function showVariables(statement: Statement, { connection }: SessionTools): Promise<SessionEffect> {
  const isLike = likeMatcher(requireShow(statement).like)
  const rows = Object.entries(variablesOf(connection))
    .filter(([name]) => isLike(name))
    .sort(([a], [b]) => a.localeCompare(b))
  return { result: ownRows(['Variable_name', 'Value'], rows) }
}

/** What is not understood is told: without it, the answer would be another than was asked for. */
function requireShow(statement: Statement): ShowStatement {
  const show = readShow(statement)
  if (!show) throw unreadable()
  return show
}

async function showDatabases(
  statement: Statement,
  { connection, runInEngine, visible, catalogNamed }: SessionTools,
): Promise<SessionEffect> {
  const show = requireShow(statement)
  const catalog = await catalogNamed(show.from?.at(-1) ?? connection.catalog)
  const seen = await visible({ type: 'database', catalog })
  const { rows } = await runInEngine(ofCatalogs((catalogs) => catalogs.databases(catalog, seen)))
  const isLike = likeMatcher(show.like)
  const matching = rows.filter(([name]) => isLike(name ?? '')).map((row) => [...row])
  return { result: ownRows(['Database'], matching) }
}

/** Tables of one SHOW. More are found by LIKE, or in information_schema. */
const MOST_SHOWN = 10_000

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
    return names === 'all' || names.has(name.toLowerCase())
  }
}

/** Of every database of the catalog. */
async function showAllTables(
  { like, from }: ShowStatement,
  { connection, runInEngine, visible, materialized, catalogNamed }: SessionTools,
): Promise<SessionEffect> {
  const catalog = await catalogNamed(from?.at(-1) ?? connection.catalog)
  const { rows } = await runInEngine(ofCatalogs((catalogs) => catalogs.allTables(catalog)))
  const isLike = likeMatcher(like)
  const isSeen = seenIn(catalog, visible, await materialized())
  const matching: (string | null)[][] = []
  for (const [database, name, type] of rows)
    if (isLike(name ?? '') && (await isSeen(database ?? '', name ?? '', type === 'VIEW' ? 'view' : 'table')))
      matching.push([database ?? null, name ?? null, type ?? null])
  return { result: ownRows(['Database', 'Table', 'Type'], matching) }
}

/** What somebody sees is the same for many statements, and is told to engines once. */
const knownBoth = new WeakMap<object, WeakMap<object, Seen>>()

function bothOf(tables: Seen, materialized: Seen): Seen {
  if (tables === 'all' || materialized === 'all') return 'all'
  if (materialized.size === 0) return tables
  const ofTables = knownBoth.get(tables) ?? new WeakMap<object, Seen>()
  knownBoth.set(tables, ofTables)
  const both = ofTables.get(materialized) ?? new Set([...tables, ...materialized])
  ofTables.set(materialized, both)
  return both
}

interface Shown {
  readonly seen: Readonly<Record<'table' | 'view', Seen>>
  readonly like: string | undefined
}

/** Tables and views in their order, as many as one answer has. */
async function namesShown(
  { names, runInEngine }: SessionTools,
  place: DatabasePlace,
  { seen, like }: Shown,
): Promise<{ readonly names: readonly string[]; readonly isCut: boolean }> {
  const page = { descending: false, offset: 0, limit: MOST_SHOWN, search: '', like }
  const tables = await names({ ...place, of: 'BASE TABLE', page: { ...page, seen: seen.table } })
  const views = tables && (await names({ ...place, of: 'VIEW', page: { ...page, seen: seen.view } }))
  if (tables && views) {
    const found = [...tables.list, ...views.list].map(({ name }) => name).toSorted((a, b) => (a < b ? -1 : 1))
    return { names: found.slice(0, MOST_SHOWN), isCut: tables.total + views.total > MOST_SHOWN }
  }
  const listed = await runInEngine(ofCatalogs((catalogs) => catalogs.tables(place, seen)))
  const isLike = likeMatcher(like)
  const found = listed.rows.flatMap(([name]) => (name != null && isLike(name) ? [name] : []))
  return { names: found.slice(0, MOST_SHOWN), isCut: listed.truncated || found.length > MOST_SHOWN }
}

/** Tables and views, the materialized ones among them. */
async function showTables(statement: Statement, tools: SessionTools): Promise<SessionEffect> {
  const { connection, runInEngine, visible, catalogNamed } = tools
  const show = requireShow(statement)
  if (ALL_TABLES.test(statement.text)) return showAllTables(show, tools)
  const database = show.from?.at(-1) ?? connection.database
  const catalog = await catalogNamed(show.from?.at(-2) ?? connection.catalog)
  if (database === null)
    throw new AppError('QueryFailed', 'No database is selected. Write USE database first.')
  const place = { catalog, database }
  const [tables, views, materialized, keys] = await Promise.all([
    visible({ type: 'table', ...place }),
    visible({ type: 'view', ...place }),
    visible({ type: 'materialized_view', ...place }),
    tools.materialized(),
  ])
  const isMaterialized = (name: string) => keys.size > 0 && keys.has(viewKey({ ...place, name }))
  const seen = { table: bothOf(tables, materialized), view: views }
  const { names, isCut } = await namesShown(tools, place, { seen, like: show.like })
  const isIn = (among: Seen, name: string) => among === 'all' || among.has(name.toLowerCase())
  const rows = names.filter((name) =>
    isMaterialized(name) ? isIn(materialized, name) : isIn(tables, name) || isIn(views, name),
  )
  if (names.length === 0 && !(await trueName({ catalog, database }, runInEngine)))
    throw databaseMissing({ catalog, database }, await seenDatabases(catalog, tools))
  const result = ownRows(
    [`Tables_in_${database}`],
    rows.map((name) => [name]),
  )
  return { result: { ...result, truncated: isCut } }
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
  'reset-user-variable': resetUserVariable,
  'show-variables': showVariables,
  ...PREPARED_STATEMENTS,
  ...CLIENT_STATEMENTS,
  'show-databases': showDatabases,
  'show-tables': showTables,
}
