import { type DuckDBConnection, quotedIdentifier, quotedString } from '@duckdb/node-api'
import { findQualified, readStatement } from '@boathouse/sql'
import { SYSTEM_DATABASE } from '../../system-tables.ts'
import { INTERNAL_SCHEMA } from './internal-schema.ts'
import { StatementRefused } from '../errors.ts'
import { FAMILIAR_FUNCTIONS } from './familiar-functions.ts'
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
import { seenListings } from './seen-listings.ts'
import { systemViews } from './system-tables.ts'
import { ALLOWED_FUNCTIONS, LISTED_FOR, REFUSED_FUNCTIONS } from './known-functions.ts'

/**
 * A database in memory with functions of ours that have the names of DuckDB's. It stands in the search path of every
 * session, right behind the session's own database, so that ours are found first: in statements, in views, in macros
 * and in DuckDB's own `information_schema` and `pg_catalog`, all of which DuckDB binds by the path of the session. It
 * is made anew with every start. No text can name it: `refuseInternalNames` sees to that.
 */
const DATABASE = `${INTERNAL_SCHEMA}_guard`
// Not in its `main`: in a path with that, `main.t` would be a table of this database, which is gone with the process.
const GUARD = `${DATABASE}.${DATABASE}`
/** In front of it, for whoever does not see everything. */
const SEEN = `${DATABASE}.${DATABASE}_seen`
/** In the path of every session, so that `sys.queries` is found. */
const SYSTEM = `${DATABASE}.${SYSTEM_DATABASE}`

const MACROS = [
  ...GUARDED_FUNCTIONS,
  ...FAMILIAR_FUNCTIONS,
  ...GUARDED_LISTINGS,
  ...GUARDED_READERS,
  ...REFUSED_LISTINGS,
  ...REFUSED_FUNCTIONS.map(refusedValue),
]
const GUARDED: ReadonlySet<string> = new Set(MACROS.map(({ name }) => name))
const KNOWN = new Set([...GUARDED, ...ALLOWED_FUNCTIONS, ...HARMLESS, ...REFUSED])

/** Before the settings are locked: it attaches a database. */
export async function raiseGuard(connection: DuckDBConnection): Promise<void> {
  await connection.run(`ATTACH ':memory:' AS ${DATABASE}`)
  await connection.run([GUARD, SEEN, SYSTEM].map((place) => `CREATE SCHEMA ${place}`).join(';'))
  const macros = [...MACROS, ...(await refusedNew(connection))].map((one) => inPlace(GUARD, one))
  const seen = seenListings(SEEN, GUARD).map((one) => inPlace(SEEN, one))
  await connection.run(['BEGIN', ...macros, ...seen, ...systemViews(SYSTEM), 'COMMIT'].join(';'))
}

const inPlace = (place: string, { name, body }: Guarded): string =>
  `CREATE MACRO ${place}.${quotedIdentifier(name)}${body}`

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

/** What the statements of a session list: everything of the account, or what they are told to. */
export type Sight = 'all' | 'some'

/** For a session that stands in this database, and again whenever it has moved: USE leaves nothing else in the path. */
export function behindGuard(catalog: string, database: string, sight: Sight): string {
  const here = `${quotedIdentifier(catalog)}.${quotedIdentifier(database)}`
  const path = [here, ...(sight === 'some' ? [SEEN] : []), GUARD, SYSTEM]
  return `SET search_path = ${quotedString(path.join(','))}`
}

export async function returnBehindGuard(connection: DuckDBConnection, sight: Sight): Promise<void> {
  const place = await connection.run('SELECT current_catalog(), current_schema()')
  const [catalog, database] = [0, 1].map((at) => String(place.getChunk(0).getColumnVector(at).getItem(0)))
  await connection.run(behindGuard(catalog ?? '', database ?? '', sight))
}

/** The schemas and the catalog in which DuckDB's own functions stand. */
const PLACES = new Set(['main', 'system', 'pg_catalog'])
/** Reading a text word by word takes long; most name no such place at all. */
const MAY_NAME_PLACE = /\b(?:main|system|pg_catalog)"?\s*(?:\.|--|\/\*)/i

/** With its place before it, DuckDB's own function would be meant, and not ours. */
export function refuseGuardedPlaces(sql: string): void {
  if (!MAY_NAME_PLACE.test(sql)) return
  const found = findQualified(
    readStatement(sql),
    (outer, inner) => PLACES.has(outer.toLowerCase()) && GUARDED.has(inner.toLowerCase()),
  )
  if (!found) return
  const [outer, inner] = [found.outer.toLowerCase(), found.inner.toLowerCase()]
  const message = `Write ${inner} without ${outer} before it: only so can it be used here.`
  throw new StatementRefused({ kind: 'permission', message, offset: found.offset })
}
