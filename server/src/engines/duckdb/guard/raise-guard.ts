import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type DuckDBConnection,
  DuckDBInstance,
  quotedIdentifier,
  quotedString,
  version,
} from '@duckdb/node-api'
import { SYSTEM_DATABASE } from '../../engine/system-tables.ts'
import { DESCRIBED_TABLE, describedTable, unseenTable } from './described-table.ts'
import { GUARD, GUARD_DATABASE } from './internal-schema.ts'
import { MYSQL_DIALECT } from './mysql-dialect.ts'
import { MYSQL_FUNCTIONS } from './mysql-functions.ts'
import { GUARDED_FUNCTIONS, type Guarded } from './guarded-functions.ts'
import {
  GUARDED_LISTINGS,
  GUARDED_READERS,
  HARMLESS,
  REFUSED,
  REFUSED_LISTINGS,
  refusedTable,
  refusedValue,
} from './guarded-listings.ts'
import { INFORMATION_SCHEMA, informationViews } from './information-views.ts'
import { MYSQL_INFORMATION, MYSQL_INFORMATION_FUNCTIONS, mysqlInformationViews } from './mysql-information.ts'
import { PRIVILEGE_QUESTIONS, seenListings } from './seen-listings.ts'
import { systemViews } from './system-tables.ts'
import { ALLOWED_FUNCTIONS, LISTED_FOR, REFUSED_FUNCTIONS } from './allowed-functions.ts'

/**
 * A database with functions of ours that have the names of DuckDB's. It is in the search path of every session,
 * right behind the session's own database, so that ours are found first: in statements, in views, in macros and in
 * DuckDB's own `information_schema` and `pg_catalog`, all of which DuckDB binds by the path of the session. It comes
 * with the build, and nobody writes to it; where there is no build of this state, it is recreated at every start. No
 * text can name it: `refuseInternalNames` sees to that.
 */
const DATABASE = GUARD_DATABASE
/** In front of it, for users who may not see everything. */
export const SEEN = `${DATABASE}.${DATABASE}_seen`
/** In the path of every session, so that `sys.queries` is found. */
export const SYSTEM = `${DATABASE}.${SYSTEM_DATABASE}`
/** In the path of statements that name `information_schema`, and of no others: nobody means it by `events` alone. */
export const INFORMATION = `${DATABASE}.${INFORMATION_SCHEMA}`
/** The same for clients of MySQL. */
export const INFORMATION_OF_MYSQL = `${DATABASE}.${MYSQL_INFORMATION}`

const MACROS = [
  ...GUARDED_FUNCTIONS,
  ...MYSQL_FUNCTIONS,
  ...MYSQL_DIALECT,
  ...GUARDED_LISTINGS,
  ...GUARDED_READERS,
  ...REFUSED_LISTINGS,
  ...REFUSED_FUNCTIONS.map(refusedValue),
]
export const GUARDED: ReadonlySet<string> = new Set(
  [...MACROS, ...PRIVILEGE_QUESTIONS].map(({ name }) => name),
)
const KNOWN = new Set([...GUARDED, ...ALLOWED_FUNCTIONS, ...HARMLESS, ...REFUSED])
/** Every function that all sessions have, DuckDB's and ours, in small letters. */
export const SHARED_FUNCTIONS: ReadonlySet<string> = new Set(
  [...KNOWN, DESCRIBED_TABLE].map((name) => name.toLowerCase()),
)

const inPlace = (place: string, { name, body }: Guarded): string =>
  `CREATE MACRO ${place}.${quotedIdentifier(name)}${body}`

const STEPS = [
  ...[GUARD, SEEN, SYSTEM, INFORMATION, INFORMATION_OF_MYSQL].map((place) => `CREATE SCHEMA ${place}`),
  ...MACROS.map((one) => inPlace(GUARD, one)),
  inPlace(GUARD, describedTable),
  ...[...seenListings(SEEN, GUARD), unseenTable].map((one) => inPlace(SEEN, one)),
  ...systemViews(SYSTEM),
  ...informationViews(INFORMATION),
  ...mysqlInformationViews(INFORMATION_OF_MYSQL),
  ...MYSQL_INFORMATION_FUNCTIONS.map((one) => inPlace(INFORMATION_OF_MYSQL, one)),
]

/** Before the settings are locked: it attaches a database. */
export async function raiseGuard(connection: DuckDBConnection): Promise<void> {
  const file = PLACES.map(guardFile).find(existsSync)
  if (file) await connection.run(`ATTACH ${quotedString(file)} AS ${DATABASE} (READ_ONLY)`)
  else await drawGuard(connection, ':memory:')
}

/** Where the build puts it: beside the program that runs, which under test is not the built one. */
const PLACES = ['.', '../../../../dist'].map((way) => fileURLToPath(new URL(way, import.meta.url)))

/** Named by what is in it and by its DuckDB: a file of another state is never found. */
const PRINT = createHash('sha256').update(version()).update(STEPS.join(';')).digest('hex').slice(0, 16)
const guardFile = (directory: string): string => join(directory, `engine-guard-${PRINT}.duckdb`)

/** To draw it takes some 80 ms, to attach the file a tenth of that. */
export async function buildGuardFile(directory: string): Promise<void> {
  const draft = join(directory, `engine-guard-${process.pid}.draft`)
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await drawGuard(connection, draft)
  await connection.run(`DETACH ${DATABASE}`)
  connection.closeSync()
  instance.closeSync()
  await rename(draft, guardFile(directory))
}

async function drawGuard(connection: DuckDBConnection, path: string): Promise<void> {
  const refused = (await refusedNew(connection)).map((one) => inPlace(GUARD, one))
  // Files of older versions, which are the default, hold no macros whose parameters have types.
  await connection.run(`ATTACH ${quotedString(path)} AS ${DATABASE} (STORAGE_VERSION 'latest')`)
  await connection.run(['BEGIN', ...STEPS, ...refused, 'COMMIT'].join(';'))
}

const FUNCTIONS = `SELECT DISTINCT function_name, function_type LIKE 'table%' FROM system.main.duckdb_functions()
  WHERE internal AND function_type <> 'pragma'`

/** Every function of this DuckDB on which nothing was decided, and whether it makes a table. */
export async function newFunctions(
  connection: DuckDBConnection,
): Promise<[name: string, makesTable: boolean][]> {
  const found = await connection.runAndReadAll(FUNCTIONS)
  return found
    .getRows()
    .map(([name, makesTable]): [string, boolean] => [String(name), makesTable === true])
    .filter(([name]) => !KNOWN.has(name))
}

/** What another DuckDB brings is closed until somebody opens it. Of this one there is nothing; to look takes some 60 ms. */
async function refusedNew(connection: DuckDBConnection): Promise<readonly Guarded[]> {
  const version = await connection.runAndReadAll('SELECT version()')
  if (version.getRows()[0]?.[0] === LISTED_FOR) return []
  const found = await newFunctions(connection)
  return found.map(([name, makesTable]) => (makesTable ? refusedTable(name) : refusedValue(name)))
}
