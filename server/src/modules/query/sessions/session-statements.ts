import { DEFAULT_DATABASE, foldedName, objectOf, isSameName } from '@boathouse/contract'
import {
  readCreateDatabase,
  readDropDatabase,
  readSetCatalog,
  readSetRole,
  readSetWarehouse,
  readUse,
  type Statement,
  type StatementKind,
} from '@boathouse/sql'
import type { DatabasePlace } from '../../../engines/engine/names.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { DidNotFinish, failed, withError } from '../running/ending.ts'
import { withWarehouse } from './chosen-warehouse.ts'
import { CLIENT_STATEMENTS } from './client-statements.ts'
import { databaseMissing, proposal, seenDatabases, trueName } from './database-names.ts'
import { newDatabaseName, notEmpty, requireDatabasesHere, requireOwn } from './database-rules.ts'
import { placeNamed } from './named-place.ts'
import { NO_ROWS } from './own-rows.ts'
import { PREPARED_STATEMENTS } from './prepared.ts'
import { withRoles } from './session-roles.ts'
import { createSetVariables } from './set-variables.ts'
import {
  type Answer,
  inCatalogs,
  ofCatalogs,
  type SessionEffect,
  type SessionTools,
} from './session-tools.ts'
import { TABLE_LOCKS } from './table-locks.ts'
import { SHOW_STATEMENTS } from './show-statements.ts'
import { unreadable } from './unreadable.ts'
import { readAssignment, withoutVariable } from './user-variables.ts'
import { showWarnings } from './warnings.ts'

async function use(statement: Statement, tools: SessionTools): Promise<SessionEffect> {
  const target = readUse(statement)
  if (!target) throw unreadable()
  if (target.catalog !== undefined || !target.database.includes('.')) return enter(target, tools)
  return enter(await placeNamed([target.database], tools), tools)
}

async function enter(
  target: { catalog?: string; database: string },
  tools: SessionTools,
): Promise<SessionEffect> {
  const { connection, runInEngine, catalogNamed } = tools
  const catalog = await catalogNamed(target.catalog ?? connection.catalog)
  const place = { catalog, database: target.database }
  try {
    if (!(await mayEnter(place, tools))) throw databaseMissing(place, [])
    await runInEngine(ofCatalogs((catalogs) => catalogs.statements.enter(place)))
  } catch (error) {
    const isMissing = error instanceof DidNotFinish && error.ending.error?.kind === 'missing'
    if (!isMissing) throw error
    // USE names a database before a catalog.
    const whole = target.catalog === undefined ? await enteredCatalog(target.database, tools) : null
    if (whole) return whole
    throw databaseMissing(place, await seenDatabases(catalog, tools))
  }
  const database = (await trueName(place, tools)) ?? place.database
  return { result: NO_ROWS, move: { catalog, database } }
}

/** There in every catalog, for everyone. */
const OF_ALL = new Set([DEFAULT_DATABASE, 'information_schema', 'sys'])

/** One that is not seen is as one that is not there: nobody learns of it by trying names. */
async function mayEnter({ catalog, database }: DatabasePlace, { visible }: SessionTools): Promise<boolean> {
  if (OF_ALL.has(foldedName(database))) return true
  const seen = await visible({ type: 'database', catalog })
  return seen === 'all' || seen.has(foldedName(database))
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
  await runInEngine(ofCatalogs((catalogs) => catalogs.statements.enter(place)))
  return { result: NO_ROWS, move: place }
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
    requireDatabasesHere(catalogs, catalog)
    const name = isThere ? DEFAULT_DATABASE : newDatabaseName(database, catalogs)
    return catalogs.statements.createDatabase({ catalog, database: name }, { ifNotExists: lenient })
  })
  return { result: await runInEngine(say) }
}

async function dropDatabase(statement: Statement, tools: SessionTools): Promise<SessionEffect> {
  const { connection, runInEngine, require, catalogNamed } = tools
  const definition = readDropDatabase(statement)
  if (!definition) throw unreadable()
  const { database, lenient, cascade } = definition
  const catalog = await catalogNamed(definition.catalog ?? connection.catalog)
  await require({ privilege: 'DROP', object: objectOf('database', { catalog, database }) })
  const place = { catalog, database }
  if (!cascade) await requireEmpty(place, tools)
  const result = await runInEngine(
    ofCatalogs((catalogs) => {
      requireDatabasesHere(catalogs, catalog)
      requireOwn(database, catalogs)
      return catalogs.statements.dropDatabase(place, { ifExists: lenient, cascade })
    }),
  )
  const isHere = catalog === connection.catalog && isNamed(database, connection.database)
  if (!isHere) return { result }
  const home = { catalog, database: DEFAULT_DATABASE }
  await runInEngine(ofCatalogs((catalogs) => catalogs.statements.enter(home)))
  return { result, move: home }
}

const isNamed = (a: string, b: string | null): boolean => b !== null && isSameName(a, b)

/** Not left to the engine: one forgets that a table which was altered is in its database, and drops both. */
async function requireEmpty(place: DatabasePlace, { lookInEngine }: SessionTools): Promise<void> {
  const held = await lookInEngine(
    inCatalogs((lists, catalogs) => {
      requireOwn(place.database, catalogs)
      return lists.tables(place, { seen: { table: 'all', view: 'all' }, limit: 4 })
    }),
  )
  if (held.names.length === 0) return
  const message = notEmpty(place.database, held.names)
  throw new DidNotFinish(withError(failed('QueryFailed', message), { kind: 'data' }))
}

async function setWarehouse(
  statement: Statement,
  { connection, warehouses }: SessionTools,
): Promise<SessionEffect> {
  const target = readSetWarehouse(statement)
  if (!target) throw unreadable()
  const own = await warehouses()
  const found = own.find(({ name }) => name.toLowerCase() === target.warehouse.toLowerCase())
  if (!found) {
    const names = own.map(({ name }) => name)
    const message = `The warehouse ${target.warehouse} does not exist, or you may not use it.${proposal(target.warehouse, names)}`
    throw new AppError('QueryFailed', message)
  }
  return { result: NO_ROWS, move: withWarehouse(connection, found, own) }
}

const setVariables = createSetVariables(enter)

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

/** Statements that the service answers itself, the same on every engine and every door. */
export const SESSION_STATEMENTS: Partial<Record<StatementKind, Answer>> = {
  'create-database': createDatabase,
  'drop-database': dropDatabase,
  'use-database': use,
  'set-catalog': setCatalog,
  'set-warehouse': setWarehouse,
  'set-sql-select-limit': setVariables,
  'set-role': setRole,
  'set-variable': setVariables,
  'reset-variable': setVariables,
  'reset-user-variable': resetUserVariable,
  ...PREPARED_STATEMENTS,
  ...CLIENT_STATEMENTS,
  ...TABLE_LOCKS,
  ...SHOW_STATEMENTS,
  'show-warnings': showWarnings,
}
