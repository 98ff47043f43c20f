import {
  type DuckDBType,
  DuckDBArrayType,
  DuckDBListType,
  DuckDBMapType,
  DuckDBStructType,
  DuckDBTypeId,
  quotedIdentifier,
  quotedString,
} from '@duckdb/node-api'
import type { StoredColumn } from '../../../results/form.ts'
import { restored } from '../result-writer/stored-columns.ts'

/**
 * Offsets had seconds before 1973, and DuckDB leaves them out; near its last instants it also rounds. Within a day of
 * those the local time may not exist: they are written in UTC.
 */
const INSTANT_TEXT = `CREATE MACRO instant_text(t) AS CASE
  WHEN t >= '1973-01-01 00:00:00+00'::TIMESTAMPTZ AND t < '9999-01-01 00:00:00+00'::TIMESTAMPTZ OR NOT isfinite(t)
    THEN t::VARCHAR
  WHEN t > '294247-01-08 00:00:00+00'::TIMESTAMPTZ OR t < '290308-12-25 (BC) 00:00:00+00'::TIMESTAMPTZ
    THEN make_timestamp(epoch_us(t))::VARCHAR || '+00'
  ELSE make_timestamp(epoch_us(t) + date_part('timezone', t) * 1000000)::VARCHAR
    || offset_text(date_part('timezone', t)) END`

const OFFSET_TEXT = `CREATE MACRO offset_text(seconds) AS
  CASE WHEN seconds < 0 THEN '-' ELSE '+' END || two_digits(abs(seconds) // 3600)
  || CASE WHEN abs(seconds) % 3600 = 0 THEN '' ELSE ':' || two_digits(abs(seconds) // 60 % 60) END
  || CASE WHEN abs(seconds) % 60 = 0 THEN '' ELSE ':' || two_digits(abs(seconds) % 60) END`

export const EXPORT_MACROS: readonly string[] = [
  `CREATE MACRO two_digits(number) AS lpad(number::VARCHAR, 2, '0')`,
  OFFSET_TEXT,
  INSTANT_TEXT,
  `CREATE MACRO json_text(value) AS to_json(value::VARCHAR)::VARCHAR`,
]

/** The text of a column's values, as they are shown. */
export function csvText(column: StoredColumn, type: DuckDBType): string {
  return plainText(type, restored(column)) ?? restored(column)
}

const plainText = (type: DuckDBType, value: string): string | null =>
  type.typeId === DuckDBTypeId.TIMESTAMP_TZ ? `instant_text(${value})` : null

/**
 * A row as a JSON object behind a text. Written as text, because DuckDB's own JSON passes numbers through DOUBLE, where
 * decimals lose digits. In one go: each `||` would be a copy of all before it, which for hundreds of columns is more
 * than memory holds.
 */
export function jsonObject(
  before: string,
  columns: readonly StoredColumn[],
  types: readonly DuckDBType[],
): string {
  const members = columns.flatMap((column, at) => {
    const value = restored(column)
    const isNumber = column.isText && column.family === 'number'
    const json = isNumber ? `CAST(${value} AS VARCHAR)` : jsonText(types[at], value)
    const name = `${at === 0 ? '{' : ','}${JSON.stringify(column.field)}:`
    return [quotedString(name), `coalesce(${json}, 'null')`]
  })
  return `concat(${[before, ...members, `'}'`].join(', ')})`
}

function member(name: string, json: string): string {
  return `${quotedString(`${JSON.stringify(name)}:`)} || coalesce(${json}, 'null')`
}

/** An expression for the JSON of a value, NULL for NULL. `depth` tells the variables of nested lambdas apart. */
function jsonText(type: DuckDBType | undefined, value: string, depth = 0): string {
  const inner = (of: DuckDBType, item: string) => `coalesce(${jsonText(of, item, depth + 1)}, 'null')`
  const each = `v${depth}`
  if (type instanceof DuckDBListType || type instanceof DuckDBArrayType) {
    const items = `list_transform(${value}, lambda ${each}: ${inner(type.valueType, each)})`
    return `'[' || array_to_string(${items}, ',') || ']'`
  }
  if (type instanceof DuckDBMapType) {
    const entry = `json_text(${each}.key) || ':' || ${inner(type.valueType, `${each}.value`)}`
    const entries = `list_transform(map_entries(${value}), lambda ${each}: ${entry})`
    return `'{' || array_to_string(${entries}, ',') || '}'`
  }
  if (type instanceof DuckDBStructType) {
    const members = type.entryTypes.map((of, at) => {
      const name = type.entryNames[at] ?? ''
      return member(name, jsonText(of, `(${value}).${quotedIdentifier(name)}`, depth + 1))
    })
    return `CASE WHEN ${value} IS NOT NULL THEN '{' || ${members.join(` || ',' || `)} || '}' END`
  }
  return scalarJson(type, value)
}

const UNQUOTED = new Set([
  DuckDBTypeId.BOOLEAN,
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.DECIMAL,
])

function scalarJson(type: DuckDBType | undefined, value: string): string {
  if (!type) return `json_text(${value})`
  if (UNQUOTED.has(type.typeId) || type.alias === 'JSON') return `${value}::VARCHAR`
  // JSON knows no infinity.
  if (type.typeId === DuckDBTypeId.FLOAT || type.typeId === DuckDBTypeId.DOUBLE)
    return `CASE WHEN isfinite(${value}) THEN ${value}::VARCHAR ELSE json_text(${value}) END`
  return `json_text(${plainText(type, value) ?? value})`
}
