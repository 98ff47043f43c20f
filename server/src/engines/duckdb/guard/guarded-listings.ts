import { quotedString } from '@duckdb/node-api'
import { INTERNAL_SCHEMA, OF_FILES } from './internal-schema.ts'
import { refuses } from './raised-error.ts'
import { type Guarded, SHOWN_SETTINGS } from './guarded-functions.ts'

// DuckDB's own functions have their place before them: a session may have others by their names.

/** Of the account's data, and of nothing of ours. Every listing passes here: whatever else is not shown is a condition more. */
const notOurs = (...columns: readonly string[]): string =>
  columns
    .map((column) => `NOT system.main.starts_with(${column}, ${quotedString(INTERNAL_SCHEMA)})`)
    .join(' AND ')

const listing = (name: string, where: string, columns = '*'): Guarded => ({
  name,
  body: `() AS TABLE SELECT ${columns} FROM system.main.${name}() WHERE ${where}`,
})

const IN_SCHEMAS = ['columns', 'constraints', 'indexes', 'schemas', 'sequences']

const OURS_NOT = notOurs('database_name', 'schema_name')
const IS_OF_FILES = `coalesce(system.main.contains(sql, ${quotedString(OF_FILES)}), false)`

/** A view over files is a table to everybody, and what it is made of nobody's affair. */
const TABLES: Guarded = {
  name: 'duckdb_tables',
  body: `() AS TABLE SELECT * FROM system.main.duckdb_tables() WHERE ${OURS_NOT}
    UNION ALL SELECT database_name, database_oid, schema_name, schema_oid, view_name, view_oid, comment, tags, internal,
      temporary, false, NULL::BIGINT, column_count, 0, 0,
      concat('-- ', schema_name, '.', view_name, ' is made of the files that lie in its folder')
    FROM system.main.duckdb_views() WHERE ${OURS_NOT} AND ${IS_OF_FILES}`,
}

/** Of the types that all databases have, DuckDB tells the id with the first of them, which may be ours. `pg_type` stands on it. */
const TYPES: Guarded = {
  name: 'duckdb_types',
  body: `() AS TABLE SELECT * EXCLUDE (known_oid) REPLACE (
      CASE WHEN NOT internal THEN type_oid WHEN database_name = current_database() THEN known_oid END AS type_oid)
    FROM (SELECT *, max(type_oid) OVER (PARTITION BY internal, type_name) AS known_oid FROM system.main.duckdb_types())
    WHERE ${OURS_NOT}`,
}

const PATHLESS = `* REPLACE (NULL::VARCHAR AS path)`

/** As they were when the statement was bound, which is when those of a user hold: the list is made later. */
const AS_BOUND = `* REPLACE (CASE system.main.lower(name) ${SHOWN_SETTINGS.map((name) => {
  const text = quotedString(name)
  return `WHEN ${text} THEN CAST(system.main.current_setting(${text}) AS VARCHAR)`
}).join(' ')} END AS value)`

/** On these stand `information_schema`, `pg_catalog`, `sqlite_master` and SHOW. */
export const GUARDED_LISTINGS: readonly Guarded[] = [
  ...IN_SCHEMAS.map((what) => listing(`duckdb_${what}`, OURS_NOT)),
  TABLES,
  TYPES,
  listing('duckdb_views', `${OURS_NOT} AND NOT ${IS_OF_FILES}`),
  listing('duckdb_functions', notOurs('database_name', 'schema_name')),
  listing('duckdb_databases', notOurs('database_name'), PATHLESS),
  listing(
    'duckdb_settings',
    `system.main.lower(name) IN (${SHOWN_SETTINGS.map(quotedString).join(', ')})`,
    AS_BOUND,
  ),
]

/** It takes names of tables as values, with quotes anywhere in them, so that no reader of the text sees which they are. */
const QUERY_TABLE: Guarded = {
  name: 'query_table',
  body: `(names) AS TABLE FROM system.main.query_table(CASE WHEN system.main.contains(system.main.replace(system.main.lower(names::VARCHAR), '"', ''), ${quotedString(
    INTERNAL_SCHEMA,
  )}) THEN ${refuses('What belongs to the service is not available.')} ELSE names END)`,
}

/** Functions that read tables by their names, and those of DuckDB's that are made of them. */
export const GUARDED_READERS: readonly Guarded[] = [QUERY_TABLE]

/** Tables made by functions that show nothing but what they are given, or what every DuckDB has. */
export const HARMLESS = new Set([
  'duckdb_keywords',
  'generate_series',
  'histogram',
  'histogram_values',
  'icu_calendar_names',
  'json_each',
  'json_tree',
  'pg_timezone_names',
  // Of the tables and columns that the statement itself names.
  'pragma_show',
  'pragma_table_info',
  'pragma_version',
  'range',
  'repeat',
  'repeat_row',
  'summary',
  'test_all_types',
  'test_vector_types',
  'unnest',
])

/** All others that this DuckDB has. A test fails when a later one has more. */
export const REFUSED = `
  arrow_scan arrow_scan_dumb check_peg_parser checkpoint disable_logging disable_peg_parser disable_profiling
  duckdb_approx_database_count duckdb_connection_count duckdb_coordinate_systems duckdb_dependencies
  duckdb_extensions duckdb_external_file_cache duckdb_log_contexts duckdb_logs duckdb_logs_parsed duckdb_memory
  duckdb_optimizers duckdb_prepared_statements duckdb_profiling_settings duckdb_secret_types duckdb_secrets
  duckdb_table_sample duckdb_temporary_files duckdb_variables enable_logging enable_peg_parser enable_profiling
  force_checkpoint glob json_execute_serialized_sql parquet_bloom_probe parquet_file_metadata
  parquet_full_metadata parquet_kv_metadata parquet_metadata parquet_scan parquet_schema pragma_collations
  pragma_database_size pragma_metadata_info pragma_platform pragma_storage_info pragma_user_agent
  query read_blob read_csv read_csv_auto read_duckdb read_json read_json_auto read_json_objects
  read_json_objects_auto read_ndjson read_ndjson_auto read_ndjson_objects read_parquet read_text seq_scan
  sniff_csv sql_auto_complete truncate_duckdb_logs which_secret`
  .trim()
  .split(/\s+/)

/** Nobody leaves it out or gives it another name by chance: every call fails, and what DuckDB says shows it. */
const NEVER = 'never_available_here'

const refused = (name: string, kind: 'AS' | 'AS TABLE SELECT'): Guarded => ({
  name,
  body: `(${NEVER}, ${NEVER}_too) ${kind} error(${quotedString(notAvailable(name))})`,
})

export const refusedTable = (name: string): Guarded => refused(name, 'AS TABLE SELECT')
export const refusedValue = (name: string): Guarded => refused(name, 'AS')

export const REFUSED_LISTINGS: readonly Guarded[] = REFUSED.map(refusedTable)

/** In words, when it is one of those that are refused. */
export function wordsForRefused(message: string): string | null {
  const [, name] = /^Macro "?(\w+)"?\(\) does not support the supplied arguments/.exec(message) ?? []
  return name && message.includes(NEVER) ? notAvailable(name) : null
}

function notAvailable(name: string): string {
  return `${name}() is not available.`
}
