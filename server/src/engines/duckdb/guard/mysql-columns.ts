import { quotedIdentifier, quotedString } from '@duckdb/node-api'
import { CATALOG } from './internal-schema.ts'

export const NO_CATALOG = `'def'`
export const CHARACTER_SET = `'utf8mb4'`
export const COLLATION = `'utf8mb4_bin'`
export const ENGINE = `'Boathouse'`

export const named = (catalog: string, database: string): string =>
  `CASE WHEN ${catalog} = ${quotedString(CATALOG)} THEN ${database} ELSE concat(${catalog}, '.', ${database}) END`
export const DATABASE = named('database_name', 'schema_name')

export const HERE = `database_name = system.main.current_catalog() AND schema_name NOT IN ('information_schema', 'pg_catalog')`

export type Columns = Readonly<Record<string, string>>

/** Drivers compare these with words in any case, as `COLUMN_KEY = 'pri'`. */
const OF_ANY_CASE = new Set(
  `TABLE_SCHEMA TABLE_NAME TABLE_TYPE COLUMN_NAME COLUMN_KEY IS_NULLABLE EXTRA CONSTRAINT_SCHEMA CONSTRAINT_NAME CONSTRAINT_TYPE
  INDEX_SCHEMA INDEX_NAME REFERENCED_TABLE_SCHEMA REFERENCED_TABLE_NAME REFERENCED_COLUMN_NAME UNIQUE_CONSTRAINT_SCHEMA
  SCHEMA_NAME ROUTINE_SCHEMA ROUTINE_NAME ROUTINE_TYPE SPECIFIC_SCHEMA SPECIFIC_NAME PARAMETER_NAME VARIABLE_NAME`.split(
    /\s+/,
  ),
)

export const selected = (columns: Columns): string =>
  Object.entries(columns)
    .map(([name, value]) => {
      const collated = OF_ANY_CASE.has(name) ? `(${value}) COLLATE NOCASE` : value
      return `${collated} AS ${quotedIdentifier(name)}`
    })
    .join(', ')

/** One value for each of these names. */
export const each = (value: string, names: string): Columns =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, value]),
  )

export const NO_TEXT = 'NULL::VARCHAR'
export const NO_NUMBER = 'NULL::BIGINT'
export const NO_TIME = 'NULL::TIMESTAMP'

/** There are none. */
export const none = (names: string): string => `SELECT ${selected(each(NO_TEXT, names))} WHERE false`
