import { quotedIdentifier } from '@duckdb/node-api'
import { COLUMN_KEYS, INDEXED } from '../catalogs/column-keys.ts'
import { foldedText } from '../folded-text.ts'
import type { Guarded } from './guarded-functions.ts'
import { LOADS, PIPE_FILES, PIPES } from './loads-information.ts'
import {
  CHARACTER_SET,
  COLLATION,
  type Columns,
  DATABASE,
  each,
  ENGINE,
  HERE,
  named,
  NO_CATALOG,
  NO_NUMBER,
  NO_TEXT,
  NO_TIME,
  none,
  selected,
} from './mysql-columns.ts'
import { SERVICE_VIEWS } from './mysql-service-views.ts'
import { COLUMN_DEFAULT, EXTRA, mysqlType, typeFacts, typeName } from './mysql-types.ts'
import { VIEW_DEFINITION } from './view-definition.ts'

/**
 * `information_schema` as MySQL has it, for its clients: its columns in its order, types in its words, and the databases of
 * the catalog in which the session is. Those clients know no catalogs, and name a database of another than the first
 * `catalog.database`.
 */
export const MYSQL_INFORMATION = 'information_mysqls'

const SIZES = each(
  NO_NUMBER,
  'AVG_ROW_LENGTH DATA_LENGTH MAX_DATA_LENGTH INDEX_LENGTH DATA_FREE AUTO_INCREMENT',
)
const TIMES = each(NO_TIME, 'CREATE_TIME UPDATE_TIME CHECK_TIME')

const tables = (of: { name: string; type: string; engine: string; rows: string; comment: string }): string =>
  `SELECT ${selected({
    TABLE_CATALOG: NO_CATALOG,
    TABLE_SCHEMA: DATABASE,
    TABLE_NAME: of.name,
    TABLE_TYPE: of.type,
    ENGINE: of.engine,
    VERSION: 'NULL::INTEGER',
    ROW_FORMAT: NO_TEXT,
    TABLE_ROWS: of.rows,
    ...SIZES,
    ...TIMES,
    TABLE_COLLATION: COLLATION,
    CHECKSUM: NO_NUMBER,
    CREATE_OPTIONS: `''`,
    TABLE_COMMENT: of.comment,
  })}`

const TABLES = `${tables({
  name: 'table_name',
  type: `'BASE TABLE'`,
  engine: ENGINE,
  rows: 'estimated_size',
  comment: `coalesce(comment, '')`,
})} FROM duckdb_tables() WHERE ${HERE} AND NOT internal
  UNION ALL ${tables({ name: 'view_name', type: `'VIEW'`, engine: NO_TEXT, rows: NO_NUMBER, comment: `'VIEW'` })}
  FROM duckdb_views() WHERE ${HERE} AND NOT internal`

const COLUMNS = `SELECT ${selected({
  TABLE_CATALOG: NO_CATALOG,
  TABLE_SCHEMA: DATABASE,
  TABLE_NAME: 'table_name',
  COLUMN_NAME: 'column_name',
  ORDINAL_POSITION: 'column_index',
  COLUMN_DEFAULT,
  IS_NULLABLE: `CASE WHEN is_nullable THEN 'YES' ELSE 'NO' END`,
  DATA_TYPE: typeName('mysql_type'),
})}, ${typeFacts(typeName('mysql_type'), 'mysql_type')}, ${selected({
  COLUMN_TYPE: 'mysql_type',
  COLUMN_KEY: `coalesce(key, '')`,
  EXTRA,
  PRIVILEGES: `'select'`,
  COLUMN_COMMENT: `coalesce(comment, '')`,
  GENERATION_EXPRESSION: `''`,
  SRS_ID: 'NULL::INTEGER',
  IS_GENERATED: `'NEVER'`,
})} FROM (SELECT *, ${mysqlType('data_type')} AS mysql_type, ${foldedText('column_name')} AS lower_name
    FROM duckdb_columns() WHERE ${HERE} AND NOT internal)
  LEFT JOIN (${COLUMN_KEYS}) USING (database_name, schema_name, table_name, lower_name)`

/** Columns of keys, each with its place. */
const KEY_COLUMNS = `SELECT database_name, schema_name, table_name, constraint_type,
    CASE constraint_type WHEN 'PRIMARY KEY' THEN 'PRIMARY' ELSE constraint_name END AS constraint_name,
    unnest(constraint_column_names) AS column_name, unnest(generate_series(1, len(constraint_column_names))) AS place,
    referenced_table, unnest(referenced_column_names) AS referenced_column
  FROM duckdb_constraints() WHERE ${HERE} AND constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY')`

const INDEX_COLUMNS = `SELECT database_name, schema_name, table_name, index_name, is_unique, comment,
    unnest(parts) AS part, unnest(generate_series(1, len(parts))) AS place
  FROM (SELECT *, ${INDEXED} AS parts FROM duckdb_indexes() WHERE ${HERE})`

const statistics = (of: Columns): string =>
  `SELECT ${selected({
    TABLE_CATALOG: NO_CATALOG,
    TABLE_SCHEMA: DATABASE,
    TABLE_NAME: 'table_name',
    NON_UNIQUE: '0',
    INDEX_SCHEMA: DATABASE,
    INDEX_NAME: 'constraint_name',
    SEQ_IN_INDEX: 'place',
    COLUMN_NAME: 'column_name',
    COLLATION: `'A'`,
    CARDINALITY: NO_NUMBER,
    SUB_PART: NO_NUMBER,
    PACKED: NO_TEXT,
    NULLABLE: `''`,
    INDEX_TYPE: `'BTREE'`,
    COMMENT: `''`,
    INDEX_COMMENT: `''`,
    IS_VISIBLE: `'YES'`,
    EXPRESSION: NO_TEXT,
    ...of,
  })}`

const STATISTICS = `${statistics({})} FROM (${KEY_COLUMNS}) WHERE constraint_type <> 'FOREIGN KEY'
  UNION ALL ${statistics({
    NON_UNIQUE: 'CASE WHEN is_unique THEN 0 ELSE 1 END',
    INDEX_NAME: 'index_name',
    COLUMN_NAME: `CASE WHEN starts_with(part, '(') THEN NULL ELSE part END`,
    NULLABLE: `'YES'`,
    INDEX_COMMENT: `coalesce(comment, '')`,
    EXPRESSION: `CASE WHEN starts_with(part, '(') THEN part END`,
  })} FROM (${INDEX_COLUMNS})`

const CONSTRAINT: Columns = {
  CONSTRAINT_CATALOG: NO_CATALOG,
  CONSTRAINT_SCHEMA: DATABASE,
  CONSTRAINT_NAME: 'constraint_name',
}
const OF_FOREIGN = `CASE WHEN constraint_type = 'FOREIGN KEY' THEN`

const KEY_COLUMN_USAGE = `SELECT ${selected({
  ...CONSTRAINT,
  TABLE_CATALOG: NO_CATALOG,
  TABLE_SCHEMA: DATABASE,
  TABLE_NAME: 'table_name',
  COLUMN_NAME: 'column_name',
  ORDINAL_POSITION: 'place',
  POSITION_IN_UNIQUE_CONSTRAINT: `${OF_FOREIGN} place END`,
  REFERENCED_TABLE_SCHEMA: `${OF_FOREIGN} ${DATABASE} END`,
  REFERENCED_TABLE_NAME: `${OF_FOREIGN} referenced_table END`,
  REFERENCED_COLUMN_NAME: `${OF_FOREIGN} referenced_column END`,
})} FROM (${KEY_COLUMNS})`

const ONE_OF_EACH = `SELECT DISTINCT database_name, schema_name, table_name, constraint_type, constraint_name,
  referenced_table FROM (${KEY_COLUMNS})`

const TABLE_CONSTRAINTS = `SELECT ${selected({
  ...CONSTRAINT,
  TABLE_SCHEMA: DATABASE,
  TABLE_NAME: 'table_name',
  CONSTRAINT_TYPE: 'constraint_type',
  ENFORCED: `'YES'`,
})} FROM (${ONE_OF_EACH})`

/** DuckDB refuses to change what a foreign key refers to, and knows no other rule. */
const REFERENTIAL_CONSTRAINTS = `SELECT ${selected({
  ...CONSTRAINT,
  UNIQUE_CONSTRAINT_CATALOG: NO_CATALOG,
  UNIQUE_CONSTRAINT_SCHEMA: DATABASE,
  UNIQUE_CONSTRAINT_NAME: `'PRIMARY'`,
  MATCH_OPTION: `'NONE'`,
  UPDATE_RULE: `'NO ACTION'`,
  DELETE_RULE: `'NO ACTION'`,
  TABLE_NAME: 'table_name',
  REFERENCED_TABLE_NAME: 'referenced_table',
})} FROM (${ONE_OF_EACH}) WHERE constraint_type = 'FOREIGN KEY'`

const CHECK_CONSTRAINTS = `SELECT ${selected({ ...CONSTRAINT, CHECK_CLAUSE: 'expression' })}
  FROM duckdb_constraints() WHERE ${HERE} AND constraint_type = 'CHECK'`

const FUNCTIONS = `SELECT DISTINCT ON (schema_name, function_name) * FROM duckdb_functions()
  WHERE ${HERE} AND NOT internal AND function_type IN ('macro', 'table_macro')`

const TEXT_FACTS = typeFacts(`'varchar'`, `'varchar(65535)'`)

const ROUTINES = `SELECT ${selected({
  SPECIFIC_NAME: 'function_name',
  ROUTINE_CATALOG: NO_CATALOG,
  ROUTINE_SCHEMA: DATABASE,
  ROUTINE_NAME: 'function_name',
  ROUTINE_TYPE: `'FUNCTION'`,
  DATA_TYPE: `'varchar'`,
})}, ${TEXT_FACTS}, ${selected({
  DTD_IDENTIFIER: `'varchar(65535)'`,
  ROUTINE_BODY: `'SQL'`,
  ROUTINE_DEFINITION: 'macro_definition',
  EXTERNAL_NAME: NO_TEXT,
  EXTERNAL_LANGUAGE: `'SQL'`,
  PARAMETER_STYLE: `'SQL'`,
  IS_DETERMINISTIC: `'NO'`,
  SQL_DATA_ACCESS: `'READS SQL DATA'`,
  SQL_PATH: NO_TEXT,
  SECURITY_TYPE: `'INVOKER'`,
  CREATED: NO_TIME,
  LAST_ALTERED: NO_TIME,
  SQL_MODE: `''`,
  ROUTINE_COMMENT: `coalesce(comment, '')`,
  DEFINER: `''`,
  CHARACTER_SET_CLIENT: CHARACTER_SET,
  COLLATION_CONNECTION: COLLATION,
  DATABASE_COLLATION: COLLATION,
})} FROM (${FUNCTIONS})`

/** Arguments of macros have no type: each takes any. */
const PARAMETERS = `SELECT ${selected({
  SPECIFIC_CATALOG: NO_CATALOG,
  SPECIFIC_SCHEMA: DATABASE,
  SPECIFIC_NAME: 'function_name',
  ORDINAL_POSITION: 'place',
  PARAMETER_MODE: `CASE WHEN place > 0 THEN 'IN' END`,
  PARAMETER_NAME: 'named',
  DATA_TYPE: `'varchar'`,
})}, ${TEXT_FACTS}, ${selected({ DTD_IDENTIFIER: `'varchar(65535)'`, ROUTINE_TYPE: `'FUNCTION'` })}
  FROM (SELECT database_name, schema_name, function_name, unnest(list_concat([NULL], parameters)) AS named,
    unnest(generate_series(0, len(parameters))) AS place FROM (${FUNCTIONS}))`

/** Not one table is made of parts: there is a row for each that says so. */
const PARTITIONS = `SELECT ${selected({
  TABLE_CATALOG: NO_CATALOG,
  TABLE_SCHEMA: DATABASE,
  TABLE_NAME: 'table_name',
  ...each(NO_TEXT, 'PARTITION_NAME SUBPARTITION_NAME'),
  ...each(NO_NUMBER, 'PARTITION_ORDINAL_POSITION SUBPARTITION_ORDINAL_POSITION'),
  ...each(
    NO_TEXT,
    'PARTITION_METHOD SUBPARTITION_METHOD PARTITION_EXPRESSION SUBPARTITION_EXPRESSION PARTITION_DESCRIPTION',
  ),
  TABLE_ROWS: 'estimated_size',
  ...each(NO_NUMBER, 'AVG_ROW_LENGTH DATA_LENGTH MAX_DATA_LENGTH INDEX_LENGTH DATA_FREE'),
  ...TIMES,
  CHECKSUM: NO_NUMBER,
  PARTITION_COMMENT: `''`,
  NODEGROUP: `''`,
  TABLESPACE_NAME: NO_TEXT,
})} FROM duckdb_tables() WHERE ${HERE} AND NOT internal`

/** As StarRocks has it: its dialect for SQLAlchemy, and dbt's and Superset's by it, ask for it before they look at columns. */
const TABLES_CONFIG = `SELECT ${selected({
  TABLE_SCHEMA: DATABASE,
  TABLE_NAME: 'table_name',
  TABLE_ENGINE: ENGINE,
  TABLE_MODEL: `CASE WHEN has_primary_key THEN 'PRI_KEYS' ELSE 'DUP_KEYS' END`,
  PRIMARY_KEY: `coalesce((SELECT string_agg(concat('\`', column_name, '\`'), ', ' ORDER BY place) FROM (${KEY_COLUMNS}) AS k
    WHERE k.constraint_type = 'PRIMARY KEY' AND k.schema_name = t.schema_name AND k.table_name = t.table_name), '')`,
  ...each(`''`, 'PARTITION_KEY DISTRIBUTE_KEY DISTRIBUTE_TYPE'),
  DISTRIBUTE_BUCKET: NO_NUMBER,
  SORT_KEY: `''`,
  PROPERTIES: `'{}'`,
  TABLE_ID: 'table_oid',
})} FROM duckdb_tables() AS t WHERE ${HERE} AND NOT internal`

const VIEWS: Columns = {
  TABLES,
  COLUMNS,
  STATISTICS,
  KEY_COLUMN_USAGE,
  TABLE_CONSTRAINTS,
  REFERENTIAL_CONSTRAINTS,
  CHECK_CONSTRAINTS,
  ROUTINES,
  PARAMETERS,
  PARTITIONS,
  LOADS,
  PIPES,
  PIPE_FILES,
  SCHEMATA: `SELECT ${selected({
    CATALOG_NAME: NO_CATALOG,
    SCHEMA_NAME: DATABASE,
    DEFAULT_CHARACTER_SET_NAME: CHARACTER_SET,
    DEFAULT_COLLATION_NAME: COLLATION,
    SQL_PATH: NO_TEXT,
    DEFAULT_ENCRYPTION: `'NO'`,
  })} FROM duckdb_schemas() WHERE ${HERE}`,
  VIEWS: `SELECT ${selected({
    TABLE_CATALOG: NO_CATALOG,
    TABLE_SCHEMA: DATABASE,
    TABLE_NAME: 'view_name',
    VIEW_DEFINITION,
    CHECK_OPTION: `'NONE'`,
    IS_UPDATABLE: `'NO'`,
    DEFINER: `''`,
    SECURITY_TYPE: `'DEFINER'`,
    CHARACTER_SET_CLIENT: CHARACTER_SET,
    COLLATION_CONNECTION: COLLATION,
  })} FROM duckdb_views() WHERE ${HERE} AND NOT internal`,
  ENGINES: `SELECT ${ENGINE} AS ENGINE, 'DEFAULT' AS SUPPORT, 'Tables of this account' AS COMMENT, 'YES' AS TRANSACTIONS,
    'NO' AS XA, 'NO' AS SAVEPOINTS`,
  COLLATIONS: `SELECT ${COLLATION} AS COLLATION_NAME, ${CHARACTER_SET} AS CHARACTER_SET_NAME, 46 AS ID,
    'Yes' AS IS_DEFAULT, 'Yes' AS IS_COMPILED, 1 AS SORTLEN, 'NO PAD' AS PAD_ATTRIBUTE`,
  CHARACTER_SETS: `SELECT ${CHARACTER_SET} AS CHARACTER_SET_NAME, ${COLLATION} AS DEFAULT_COLLATE_NAME,
    'UTF-8 Unicode' AS DESCRIPTION, 4 AS MAXLEN`,
  COLLATION_CHARACTER_SET_APPLICABILITY: `SELECT ${COLLATION} AS COLLATION_NAME, ${CHARACTER_SET} AS CHARACTER_SET_NAME`,
  KEYWORDS: `SELECT upper(keyword_name) AS WORD, CASE keyword_category WHEN 'reserved' THEN 1 ELSE 0 END AS RESERVED
    FROM duckdb_keywords()`,
  PLUGINS: `SELECT 'caching_sha2_password' AS PLUGIN_NAME, '1.0' AS PLUGIN_VERSION, 'ACTIVE' AS PLUGIN_STATUS,
    'AUTHENTICATION' AS PLUGIN_TYPE, ${selected(
      each(
        NO_TEXT,
        `PLUGIN_TYPE_VERSION PLUGIN_LIBRARY PLUGIN_LIBRARY_VERSION PLUGIN_AUTHOR PLUGIN_DESCRIPTION PLUGIN_LICENSE
         LOAD_OPTION`,
      ),
    )}`,
  TABLES_CONFIG,
  TRIGGERS:
    none(`TRIGGER_CATALOG TRIGGER_SCHEMA TRIGGER_NAME EVENT_MANIPULATION EVENT_OBJECT_CATALOG EVENT_OBJECT_SCHEMA
    EVENT_OBJECT_TABLE ACTION_ORDER ACTION_CONDITION ACTION_STATEMENT ACTION_ORIENTATION ACTION_TIMING
    ACTION_REFERENCE_OLD_TABLE ACTION_REFERENCE_NEW_TABLE ACTION_REFERENCE_OLD_ROW ACTION_REFERENCE_NEW_ROW CREATED
    SQL_MODE DEFINER CHARACTER_SET_CLIENT COLLATION_CONNECTION DATABASE_COLLATION`),
  EVENTS:
    none(`EVENT_CATALOG EVENT_SCHEMA EVENT_NAME DEFINER TIME_ZONE EVENT_BODY EVENT_DEFINITION EVENT_TYPE EXECUTE_AT
    INTERVAL_VALUE INTERVAL_FIELD SQL_MODE STARTS ENDS STATUS ON_COMPLETION CREATED LAST_ALTERED LAST_EXECUTED
    EVENT_COMMENT ORIGINATOR CHARACTER_SET_CLIENT COLLATION_CONNECTION DATABASE_COLLATION`),
  FILES:
    none(`FILE_ID FILE_NAME FILE_TYPE TABLESPACE_NAME TABLE_CATALOG TABLE_SCHEMA TABLE_NAME LOGFILE_GROUP_NAME
    LOGFILE_GROUP_NUMBER ENGINE FULLTEXT_KEYS DELETED_ROWS UPDATE_COUNT FREE_EXTENTS TOTAL_EXTENTS EXTENT_SIZE
    INITIAL_SIZE MAXIMUM_SIZE AUTOEXTEND_SIZE CREATION_TIME LAST_UPDATE_TIME LAST_ACCESS_TIME RECOVER_TIME
    TRANSACTION_COUNTER VERSION ROW_FORMAT TABLE_ROWS AVG_ROW_LENGTH DATA_LENGTH MAX_DATA_LENGTH INDEX_LENGTH DATA_FREE
    CREATE_TIME UPDATE_TIME CHECK_TIME CHECKSUM STATUS EXTRA`),
  // Here they are tables, and are listed among these.
  MATERIALIZED_VIEWS:
    none(`MATERIALIZED_VIEW_ID TABLE_SCHEMA TABLE_NAME REFRESH_TYPE IS_ACTIVE INACTIVE_REASON PARTITION_TYPE TASK_ID
    TASK_NAME LAST_REFRESH_START_TIME LAST_REFRESH_FINISHED_TIME LAST_REFRESH_DURATION LAST_REFRESH_STATE
    TABLE_ROWS MATERIALIZED_VIEW_DEFINITION`),
  // Privileges are on tables, never on columns.
  COLUMN_PRIVILEGES: none(
    'GRANTEE TABLE_CATALOG TABLE_SCHEMA TABLE_NAME COLUMN_NAME PRIVILEGE_TYPE IS_GRANTABLE',
  ),
}

export const MYSQL_VIEWS: ReadonlySet<string> = new Set(
  Object.keys({ ...VIEWS, ...SERVICE_VIEWS }).map((name) => name.toLowerCase()),
)

export const mysqlInformationViews = (place: string): readonly string[] =>
  Object.entries({ ...VIEWS, ...SERVICE_VIEWS }).map(
    ([name, body]) => `CREATE VIEW ${place}.${quotedIdentifier(name)} AS ${body}`,
  )

const SELECTED_DATABASE = named('system.main.current_catalog()', 'system.main.current_schema()')

export const MYSQL_INFORMATION_FUNCTIONS: readonly Guarded[] = [
  // Drivers write these around numbers too, which MySQL takes for texts.
  ...['upper', 'lower'].map((name) => ({ name, body: `(x) AS system.main.${name}(CAST(x AS VARCHAR))` })),
  ...['database', 'schema'].map((name) => ({ name, body: `() AS ${SELECTED_DATABASE}` })),
]
