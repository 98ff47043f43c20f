import { quotedString } from '@duckdb/node-api'

const LONGEST_TEXT = 65_535
const ANY_TEXT = `varchar(${LONGEST_TEXT})`

/** As `mysqlType` in `modules/schema/mysql/column-types.ts` says it of one column; a test holds the two together. */
const PLAIN: Readonly<Record<string, string>> = {
  BOOLEAN: 'tinyint(1)',
  TINYINT: 'tinyint',
  SMALLINT: 'smallint',
  INTEGER: 'int',
  BIGINT: 'bigint',
  UTINYINT: 'tinyint unsigned',
  USMALLINT: 'smallint unsigned',
  UINTEGER: 'int unsigned',
  UBIGINT: 'bigint unsigned',
  HUGEINT: 'decimal(39,0)',
  UHUGEINT: 'decimal(39,0)',
  FLOAT: 'float',
  DOUBLE: 'double',
  DATE: 'date',
  TIME: 'time(6)',
  TIME_NS: 'time(6)',
  TIMESTAMP: 'datetime(6)',
  TIMESTAMP_S: 'datetime',
  TIMESTAMP_MS: 'datetime(3)',
  TIMESTAMP_NS: 'datetime(6)',
  'TIMESTAMP WITH TIME ZONE': 'timestamp(6)',
  UUID: 'char(36)',
  BLOB: 'longblob',
  JSON: 'json',
  VARIANT: 'json',
}

const NESTED = String.raw`\]$|^(STRUCT|MAP|UNION)\(`

/** The type of a column in the words of MySQL, out of DuckDB's. */
export const mysqlType = (type: string): string => `CASE ${type} ${Object.entries(PLAIN)
  .map(([ours, theirs]) => `WHEN ${quotedString(ours)} THEN ${quotedString(theirs)}`)
  .join(' ')} ELSE CASE WHEN regexp_matches(${type}, ${quotedString(NESTED)}) THEN 'json'
  WHEN starts_with(${type}, 'DECIMAL(') THEN lower(${type})
  WHEN starts_with(${type}, 'ENUM(') THEN 'enum' || replace(substr(${type}, 5), ''', ''', ''',''')
  ELSE ${quotedString(ANY_TEXT)} END END`

/** What MySQL says of a type besides its name; `type` is in its words. */
const inParentheses = (type: string, part: 1 | 2): string =>
  String.raw`TRY_CAST(regexp_extract(${type}, '\((\d+)(?:,(\d+))?\)', ${part}) AS BIGINT)`

const WHOLE = `'tinyint' THEN 3 WHEN 'smallint' THEN 5 WHEN 'int' THEN 10`

export const typeFacts = (name: string, type: string): string => `
  CASE ${name} WHEN 'varchar' THEN ${inParentheses(type, 1)} WHEN 'char' THEN ${inParentheses(type, 1)}
    WHEN 'enum' THEN 255 WHEN 'longblob' THEN 4294967295 END AS CHARACTER_MAXIMUM_LENGTH,
  CASE ${name} WHEN 'varchar' THEN 4 * ${inParentheses(type, 1)} WHEN 'char' THEN 4 * ${inParentheses(type, 1)}
    WHEN 'enum' THEN 1020 WHEN 'longblob' THEN 4294967295 END AS CHARACTER_OCTET_LENGTH,
  CASE ${name} WHEN ${WHOLE} WHEN 'bigint' THEN CASE WHEN ends_with(${type}, 'unsigned') THEN 20 ELSE 19 END
    WHEN 'decimal' THEN ${inParentheses(type, 1)} WHEN 'float' THEN 12 WHEN 'double' THEN 22 END AS NUMERIC_PRECISION,
  CASE WHEN ${name} IN ('tinyint', 'smallint', 'int', 'bigint') THEN 0
    WHEN ${name} = 'decimal' THEN coalesce(${inParentheses(type, 2)}, 0) END AS NUMERIC_SCALE,
  CASE WHEN ${name} IN ('time', 'datetime', 'timestamp') THEN coalesce(${inParentheses(type, 1)}, 0) END
    AS DATETIME_PRECISION,
  CASE WHEN ${name} IN ('varchar', 'char', 'enum') THEN 'utf8mb4' END AS CHARACTER_SET_NAME,
  CASE WHEN ${name} IN ('varchar', 'char', 'enum') THEN 'utf8mb4_bin' END AS COLLATION_NAME`

export const typeName = (type: string): string => `regexp_extract(${type}, '^[a-z]+')`

const A_TEXT = `starts_with(column_default, '''') AND ends_with(column_default, '''')`
const A_CAST = String.raw`regexp_matches(column_default, '^CAST\(''[^'']*'' AS \w+(\([\d,]+\))?\)$')`
const A_NUMBER = String.raw`regexp_matches(column_default, '^-?\d+(\.\d+)?$')`
const NO_DEFAULT = `column_default IS NULL OR upper(column_default) = 'NULL'`
const CAST_TEXT = `regexp_extract(column_default, '''([^'']*)''', 1)`

/** The value where it is one, else the expression. */
export const COLUMN_DEFAULT = `CASE WHEN ${NO_DEFAULT} THEN NULL
  WHEN ${A_TEXT} THEN replace(substr(column_default, 2, length(column_default) - 2), '''''', '''')
  WHEN ${A_CAST} THEN CASE WHEN data_type <> 'BOOLEAN' THEN ${CAST_TEXT}
    WHEN ${CAST_TEXT} IN ('t', 'true') THEN '1' ELSE '0' END
  ELSE column_default END`

export const EXTRA = `CASE WHEN ${NO_DEFAULT} OR ${A_TEXT} OR ${A_CAST} OR ${A_NUMBER} THEN '' ELSE 'DEFAULT_GENERATED' END`
