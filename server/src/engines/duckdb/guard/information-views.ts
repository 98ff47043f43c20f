import { namesIn, readStatement } from '@boathouse/sql'
import { quotedIdentifier } from '@duckdb/node-api'
import type { Written } from '../../engine/written.ts'
import { COLUMN_KEYS } from '../catalogs/column-keys.ts'
import { foldedText } from '../folded-text.ts'
import { LOADS, PIPE_FILES, PIPES } from './loads-information.ts'
import { MYSQL_INFORMATION, MYSQL_VIEWS } from './mysql-information.ts'

/**
 * `information_schema` with the columns of other servers behind DuckDB's own. DuckDB looks for a schema of that name in
 * one place only, so that ours has another one of the same length: places in a text stay what they are.
 */
export const INFORMATION_SCHEMA = 'information_listed'
const DUCKDB_SCHEMA = 'information_schema'

const CHARACTER_SET = `'utf8mb4'`
const COLLATION = `'utf8mb4_bin'`

const empty = (columns: string): string =>
  `SELECT ${columns
    .trim()
    .split(/\s+/)
    .map((name) => `NULL::VARCHAR AS ${name}`)
    .join(', ')} WHERE false`

/** The columns of primary and unique keys. */
const KEYS = `SELECT database_name, schema_name, table_name, constraint_type, constraint_name,
  unnest(constraint_column_names) AS column_name, unnest(generate_series(1, len(constraint_column_names))) AS place
  FROM duckdb_constraints() WHERE constraint_type IN ('PRIMARY KEY', 'UNIQUE')`

const UNKNOWN_SIZES = `avg_row_length data_length max_data_length index_length data_free auto_increment`
  .split(' ')
  .map((name) => `NULL::BIGINT AS ${name}`)
const UNKNOWN_TIMES = ['create_time', 'update_time', 'check_time'].map((name) => `NULL::TIMESTAMP AS ${name}`)

const tables = (named: string, more: { type: string; insertable: string; commit: string; rows: string }) =>
  `SELECT database_name AS table_catalog, schema_name AS table_schema, ${named} AS table_name, ${more.type} AS table_type,
  NULL::VARCHAR AS self_referencing_column_name, NULL::VARCHAR AS reference_generation,
  NULL::VARCHAR AS user_defined_type_catalog, NULL::VARCHAR AS user_defined_type_schema,
  NULL::VARCHAR AS user_defined_type_name, ${more.insertable} AS is_insertable_into, 'NO' AS is_typed,
  ${more.commit} AS commit_action, comment AS table_comment, 'DuckDB' AS engine, NULL::INTEGER AS version,
  NULL::VARCHAR AS row_format, ${more.rows} AS table_rows, ${[...UNKNOWN_SIZES, ...UNKNOWN_TIMES].join(', ')},
  ${COLLATION} AS table_collation, NULL::BIGINT AS checksum, '' AS create_options`

/** Without what every DuckDB has: to others its views would be tables of the database main. */
const NOT_OF_ENGINE = `table_catalog <> 'system'`

const VIEWS: Readonly<Record<string, string>> = {
  tables: `${tables('table_name', {
    type: `CASE WHEN temporary THEN 'LOCAL TEMPORARY' ELSE 'BASE TABLE' END`,
    insertable: `'YES'`,
    commit: `CASE WHEN temporary THEN 'PRESERVE' END`,
    rows: 'estimated_size',
  })} FROM duckdb_tables() UNION ALL ${tables('view_name', {
    type: `'VIEW'`,
    insertable: `'NO'`,
    commit: 'NULL',
    rows: 'NULL',
  })} FROM duckdb_views() WHERE NOT internal`,

  columns: `SELECT c.* REPLACE (
      CASE WHEN data_type = 'VARCHAR' THEN ${CHARACTER_SET} END AS character_set_name,
      CASE WHEN data_type = 'VARCHAR' THEN ${COLLATION} END AS collation_name),
    data_type AS column_type,
    coalesce(k.key, '') AS column_key, '' AS extra, '' AS privileges, NULL::INTEGER AS srs_id
    FROM system.information_schema.columns AS c LEFT JOIN (${COLUMN_KEYS}) AS k
    ON k.database_name = c.table_catalog AND k.schema_name = c.table_schema AND k.table_name = c.table_name
      AND k.lower_name = ${foldedText('c.column_name')} WHERE ${NOT_OF_ENGINE}`,

  schemata: `SELECT * REPLACE (${CHARACTER_SET} AS default_character_set_name),
    ${COLLATION} AS default_collation_name, 'NO' AS default_encryption FROM system.information_schema.schemata`,

  views: `SELECT *, NULL::VARCHAR AS definer, 'DEFINER' AS security_type, ${CHARACTER_SET} AS character_set_client,
    ${COLLATION} AS collation_connection FROM system.information_schema.views WHERE ${NOT_OF_ENGINE}`,

  routines: `SELECT DISTINCT ON (database_name, schema_name, function_name)
    function_name AS specific_name, database_name AS routine_catalog, schema_name AS routine_schema,
    function_name AS routine_name, 'FUNCTION' AS routine_type, coalesce(return_type, '') AS data_type,
    NULL::BIGINT AS character_maximum_length, NULL::BIGINT AS character_octet_length,
    NULL::INTEGER AS numeric_precision, NULL::INTEGER AS numeric_scale, NULL::INTEGER AS datetime_precision,
    NULL::VARCHAR AS character_set_name, NULL::VARCHAR AS collation_name, return_type AS dtd_identifier,
    'SQL' AS routine_body, macro_definition AS routine_definition, NULL::VARCHAR AS external_name,
    'SQL' AS external_language, 'SQL' AS parameter_style, 'NO' AS is_deterministic, 'READS SQL DATA' AS sql_data_access,
    NULL::VARCHAR AS sql_path, 'INVOKER' AS security_type, NULL::TIMESTAMP AS created, NULL::TIMESTAMP AS last_altered,
    '' AS sql_mode, coalesce(comment, '') AS routine_comment, NULL::VARCHAR AS definer,
    ${CHARACTER_SET} AS character_set_client, ${COLLATION} AS collation_connection, ${COLLATION} AS database_collation
    FROM duckdb_functions() WHERE NOT internal AND function_type IN ('macro', 'table_macro')`,

  statistics: `SELECT database_name AS table_catalog, schema_name AS table_schema, table_name, 0 AS non_unique,
    schema_name AS index_schema, CASE constraint_type WHEN 'PRIMARY KEY' THEN 'PRIMARY' ELSE constraint_name END AS index_name,
    place AS seq_in_index, column_name, 'A' AS collation, NULL::BIGINT AS cardinality, NULL::BIGINT AS sub_part,
    NULL::VARCHAR AS packed, '' AS nullable, 'ART' AS index_type, '' AS comment, '' AS index_comment,
    'YES' AS is_visible, NULL::VARCHAR AS expression FROM (${KEYS})
    UNION ALL SELECT database_name, schema_name, table_name, CASE WHEN is_unique THEN 0 ELSE 1 END, schema_name,
    index_name, 1, NULL, 'A', NULL, NULL, NULL, 'YES', 'ART', '', coalesce(comment, ''), 'YES', expressions
    FROM duckdb_indexes()`,

  key_column_usage: `SELECT database_name AS constraint_catalog, schema_name AS constraint_schema, constraint_name,
    database_name AS table_catalog, schema_name AS table_schema, table_name,
    unnest(constraint_column_names) AS column_name,
    unnest(generate_series(1, len(constraint_column_names))) AS ordinal_position,
    CASE constraint_type WHEN 'FOREIGN KEY' THEN unnest(generate_series(1, len(constraint_column_names))) END
      AS position_in_unique_constraint,
    CASE constraint_type WHEN 'FOREIGN KEY' THEN schema_name END AS referenced_table_schema,
    referenced_table AS referenced_table_name, unnest(referenced_column_names) AS referenced_column_name
    FROM duckdb_constraints() WHERE constraint_type IN ('FOREIGN KEY', 'PRIMARY KEY', 'UNIQUE')`,

  engines: `SELECT 'DuckDB' AS engine, 'DEFAULT' AS support, 'Tables of this account' AS comment,
    'YES' AS transactions, 'NO' AS xa, 'NO' AS savepoints`,

  collations: `SELECT 'utf8mb4_bin' AS collation_name, 'utf8mb4' AS character_set_name, 46 AS id, 'Yes' AS is_default,
    'Yes' AS is_compiled, 1 AS sortlen, 'NO PAD' AS pad_attribute`,

  loads: LOADS,
  pipes: PIPES,
  pipe_files: PIPE_FILES,

  // There are none.
  triggers: empty(`trigger_catalog trigger_schema trigger_name event_manipulation event_object_catalog
    event_object_schema event_object_table action_order action_condition action_statement action_orientation
    action_timing created sql_mode definer character_set_client collation_connection database_collation`),
  events:
    empty(`event_catalog event_schema event_name definer time_zone event_body event_definition event_type
    execute_at interval_value interval_field sql_mode starts ends status on_completion created last_altered
    last_executed event_comment originator character_set_client collation_connection database_collation`),
}

export const informationViews = (place: string): readonly string[] =>
  Object.entries(VIEWS).map(([name, body]) => `CREATE VIEW ${place}.${quotedIdentifier(name)} AS ${body}`)

const MAY_NAME = new RegExp(DUCKDB_SCHEMA, 'i')

/** What is kept as a text is bound later, by statements that do not name it. */
const KEPT = new Set(['create-view', 'create-macro'])

/** Which `information_schema` a statement names: with DuckDB's own columns and more behind them, or as MySQL has it. */
export type Informed = 'engine' | 'mysql'

export const informedBy = (written: Pick<Written, 'words'> | undefined): Informed =>
  (written?.words ?? 'engine') === 'engine' ? 'engine' : 'mysql'

const LISTS: Readonly<Record<Informed, { readonly schema: string; has(name: string): boolean }>> = {
  engine: { schema: INFORMATION_SCHEMA, has: (name) => Object.hasOwn(VIEWS, name) },
  mysql: { schema: MYSQL_INFORMATION, has: (name) => MYSQL_VIEWS.has(name) },
}

export const namesInformation = (sql: string): boolean => MAY_NAME.test(sql)

/** A text as it is run: `information_schema.tables` is ours, unless a catalog stands before it. */
export function withOwnInformation(sql: string, informed: Informed = 'engine'): string {
  if (!namesInformation(sql)) return sql
  const lists = LISTS[informed]
  const statement = readStatement(sql)
  if (KEPT.has(statement.kind)) return sql
  let text = sql
  for (const { parts, offset } of namesIn(statement)) {
    const [schema = '', name = ''] = parts.map((part) => part.toLowerCase())
    if (schema !== DUCKDB_SCHEMA || !lists.has(name)) continue
    const start = /^["`]/.test(text.charAt(offset)) ? offset + 1 : offset
    text = text.slice(0, start) + lists.schema + text.slice(start + lists.schema.length)
  }
  return text
}

/** In messages it has the name under which it was asked for. */
export const withMysqlName = (message: string): string =>
  message.replaceAll(INFORMATION_SCHEMA, DUCKDB_SCHEMA).replaceAll(MYSQL_INFORMATION, DUCKDB_SCHEMA)
