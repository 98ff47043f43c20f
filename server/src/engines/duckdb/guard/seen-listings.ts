import { foldedName } from '../../../kernel/same-name.ts'
import { quotedString } from '@duckdb/node-api'
import type { ListedName } from '../../engine/objects.ts'
import type { Guarded } from './guarded-functions.ts'
import { GUARDED_LISTINGS } from './guarded-listings.ts'
import { INTERNAL_SCHEMA } from './internal-schema.ts'
import { refuses } from './raised-error.ts'
import { foldedText } from '../folded-text.ts'

/**
 * The same listings for users who may not see everything. What they may see is in variables of the session, which no
 * text can name. Without these variables nothing is listed.
 */
const EXACT = `${INTERNAL_SCHEMA}_listed`
const WIDE = `${INTERNAL_SCHEMA}_listed_all`
const HIDDEN = `${INTERNAL_SCHEMA}_hidden`

const SEPARATOR = 31

/** Named before each: a session may have functions of its own by these names, and they would be called instead. */
const OWN_FUNCTIONS = 'system.main'
/** Of values that are compared together. */
const ROW = `${OWN_FUNCTIONS}.row`

const keyOf = ({ type, catalog, database, name }: ListedName): string =>
  foldedName([type, catalog, database, name].join(String.fromCharCode(SEPARATOR)))

const isWide = ({ type, catalog, database, name }: ListedName): boolean => {
  if (type === 'catalog') return catalog === ''
  return database === '' || (name === '' && type !== 'database' && type !== 'sequence')
}

/** As one value: of 50,000 DuckDB would make as many expressions. */
const listOf = (names: readonly ListedName[]): string =>
  `${OWN_FUNCTIONS}.from_json(${quotedString(JSON.stringify(names.map(keyOf)))}, '["VARCHAR"]')`

/** What lets a session list these and no other names. */
export function showing(names: readonly ListedName[]): string {
  const hidden = names.filter(({ type }) => type === 'hidden')
  const shown = names.filter(({ type }) => type !== 'hidden')
  const values = {
    [EXACT]: shown.filter((one) => !isWide(one)),
    [WIDE]: shown.filter(isWide),
    [HIDDEN]: hidden,
  }
  return Object.entries(values)
    .map(([variable, list]) => `SET VARIABLE ${variable} = ${listOf(list)}`)
    .join('; ')
}

const valueOf = (variable: string): string =>
  `CAST(${OWN_FUNCTIONS}.getvariable(${quotedString(variable)}) AS VARCHAR[])`

const key = (...parts: readonly string[]): string =>
  foldedText(`${OWN_FUNCTIONS}.concat_ws(${OWN_FUNCTIONS}.chr(${SEPARATOR}), ${parts.join(', ')})`)

interface Columns {
  readonly database?: string
  readonly name?: string
}

/** Whether a row is of an object that was named, alone or with all objects of its type. */
function isSeen(type: ListedName['type'], { database = `''`, name = `''` }: Columns): string {
  const word = quotedString(type)
  const exact = key(word, 'database_name', database, name)
  const wide = [
    key(word, `''`, `''`, `''`),
    key(word, 'database_name', `''`, `''`),
    key(word, 'database_name', database, `''`),
  ]
  return `(${exact} IN (SELECT unnest(${valueOf(EXACT)})) OR coalesce(${OWN_FUNCTIONS}.list_has_any(${valueOf(WIDE)}, ${OWN_FUNCTIONS}.list_value(${wide.join(', ')})), false))`
}

const isHidden = (name: string): string =>
  `coalesce(${OWN_FUNCTIONS}.list_contains(${valueOf(HIDDEN)}, ${key(`'hidden'`, 'database_name', 'schema_name', name)}), false)`

const IN_DATABASE = 'schema_name'
const OWN = `database_name = 'temp'`
/** What every database of DuckDB's has, as `main`; of a catalog that is not seen, not even that. */
const INTERNAL = `(internal AND (database_name = 'system' OR ${isSeen('catalog', {})})) OR ${OWN}`

/** Filtered by what the table or view is that the row is about. */
const ofTables = (guard: string): string =>
  `${INTERNAL_OF_TABLE} OR ${ROW}(database_name, schema_name, table_name) IN (
     SELECT ${ROW}(database_name, schema_name, table_name) FROM ${guard}.duckdb_tables()
     UNION ALL SELECT ${ROW}(database_name, schema_name, view_name) FROM ${guard}.duckdb_views())`
const INTERNAL_OF_TABLE = `database_name IN ('system', 'temp')`

const conditionsIn = (guard: string): Readonly<Record<string, string>> => ({
  duckdb_tables: `${INTERNAL} OR (${isSeen('table', { database: IN_DATABASE, name: 'table_name' })} AND NOT ${isHidden('table_name')})`,
  duckdb_views: `${INTERNAL} OR ${isSeen('view', { database: IN_DATABASE, name: 'view_name' })}`,
  duckdb_functions: `${INTERNAL} OR ${isSeen('function', { database: IN_DATABASE, name: 'function_name' })}`,
  duckdb_schemas: `${INTERNAL} OR ${isSeen('database', { database: IN_DATABASE })}`,
  duckdb_types: `${INTERNAL} OR ${isSeen('sequence', { database: IN_DATABASE })}`,
  duckdb_sequences: `${OWN} OR ${isSeen('sequence', { database: IN_DATABASE })}`,
  duckdb_columns: ofTables(guard),
  duckdb_indexes: ofTables(guard),
  // A foreign key names another table, which may be one that is not seen.
  duckdb_constraints: `(${ofTables(guard)}) AND (referenced_table IS NULL OR ${ROW}(database_name, schema_name, referenced_table) IN (
     SELECT ${ROW}(database_name, schema_name, table_name) FROM ${guard}.duckdb_tables()))`,
  duckdb_databases: `${INTERNAL} OR ${isSeen('catalog', {})}`,
})

/** A name as it is written in a text: of a table, with its database, or with its catalog too. */
const HERE = `database_name = ${OWN_FUNCTIONS}.current_catalog()`
const isNamed = `${foldedText('table_name')} = ${foldedText('named')} AND ${HERE} AND schema_name = ${OWN_FUNCTIONS}.current_schema()
  OR ${foldedText(`(schema_name || '.' || table_name)`)} = ${foldedText('named')} AND ${HERE}
  OR ${foldedText(`(database_name || '.' || schema_name || '.' || table_name)`)} = ${foldedText('named')}`

const keysIn = (guard: string, type: 'PRIMARY KEY' | 'UNIQUE'): string =>
  `(SELECT (database_name, schema_name, table_name, unnest(constraint_column_names)) FROM ${guard}.duckdb_constraints()
     WHERE constraint_type = '${type}')`

const isIn = (keys: string): string => `(database_name, schema_name, table_name, column_name) IN ${keys}`

/** DuckDB's own read a table by its name in a text, even for users who may not see it. These read the lists. */
const readersIn = (guard: string): readonly Guarded[] => {
  const isKey = isIn(keysIn(guard, 'PRIMARY KEY'))
  const from = `FROM ${guard}.duckdb_columns() WHERE ${isNamed} ORDER BY column_index`
  return [
    {
      name: 'pragma_table_info',
      body: `(named) AS TABLE SELECT (column_index - 1)::INTEGER AS cid, column_name AS name, data_type AS type,
        NOT is_nullable AS "notnull", column_default AS dflt_value, ${isKey} AS pk ${from}`,
    },
    {
      name: 'pragma_show',
      body: `(named) AS TABLE SELECT column_name, data_type AS column_type,
        CASE WHEN is_nullable THEN 'YES' ELSE 'NO' END AS "null",
        CASE WHEN ${isKey} THEN 'PRI' WHEN ${isIn(keysIn(guard, 'UNIQUE'))} THEN 'UNI' END AS "key",
        column_default AS "default", NULL::VARCHAR AS extra ${from}`,
    },
  ]
}

/** To DuckDB everyone may do everything, which is true of those alone who see everything. */
const OF_OBJECTS =
  `database foreign_data_wrapper function language schema sequence server table tablespace any_column`.split(
    ' ',
  )

const noAnswer = (name: string, ...parameters: readonly string[]): Guarded => {
  const words = `${name}() is not available: SHOW GRANTS lists your privileges, and SHOW GRANTS TO those of another user or role.`
  const refused = `${refuses(words, OWN_FUNCTIONS)}::BOOLEAN`
  return {
    name,
    body: [parameters, ['of_user', ...parameters]]
      .map((list) => `(${list.join(', ')}) AS ${refused}`)
      .join(', '),
  }
}

/** For users who may not see everything. */
export const PRIVILEGE_QUESTIONS: readonly Guarded[] = [
  ...OF_OBJECTS.map((type) => noAnswer(`has_${type}_privilege`, 'object', 'privilege')),
  noAnswer('has_column_privilege', 'object', 'of_column', 'privilege'),
  noAnswer('pg_has_role', 'of_role', 'privilege'),
]

/** Those on which others stand come first. */
const FIRST = ['duckdb_tables', 'duckdb_views']

/** A listing of which no condition is known shows nothing. */
export function seenListings(guard: string, open: string): readonly Guarded[] {
  const conditions = conditionsIn(guard)
  const others = GUARDED_LISTINGS.map(({ name }) => name).filter(
    (name) => name !== 'duckdb_settings' && !FIRST.includes(name),
  )
  const listings = [...FIRST, ...others].map((name) => ({
    name,
    body: `() AS TABLE SELECT * FROM ${open}.${name}() WHERE ${conditions[name] ?? 'false'}`,
  }))
  return [...listings, ...readersIn(guard), ...PRIVILEGE_QUESTIONS]
}
