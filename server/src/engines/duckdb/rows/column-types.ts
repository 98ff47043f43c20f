import {
  type DuckDBType,
  DuckDBArrayType,
  DuckDBEnumType,
  DuckDBListType,
  DuckDBMapType,
  DuckDBStructType,
  DuckDBTypeId,
  DuckDBUnionType,
  quotedIdentifier,
} from '@duckdb/node-api'
import type { ColumnFamily } from '../../engine/rows.ts'

// An enum may have millions of members; its type travels with every result.
const MOST_ENUM_MEMBERS_SPELT = 100

/** DuckDB's spelling of a type, which DuckDB also reads back. */
export function typeName(type: DuckDBType): string {
  const isLong = type instanceof DuckDBEnumType && type.values.length > MOST_ENUM_MEMBERS_SPELT
  return nestedName(type, typeName) ?? (isLong ? 'ENUM' : type.toString())
}

/** The type of a table's column for the same values, with the members of enums as plain text. */
export function tableType(type: DuckDBType): string {
  const isEnum = type.typeId === DuckDBTypeId.ENUM
  return isEnum ? 'VARCHAR' : (nestedName(type, tableType) ?? type.toString())
}

function nestedName(type: DuckDBType, name: (type: DuckDBType) => string): string | null {
  if (type.alias) return type.alias
  if (type instanceof DuckDBListType) return `${name(type.valueType)}[]`
  if (type instanceof DuckDBArrayType) return `${name(type.valueType)}[${type.length}]`
  if (type instanceof DuckDBMapType) return `MAP(${name(type.keyType)}, ${name(type.valueType)})`
  if (type instanceof DuckDBStructType) return `STRUCT(${fields(type.entryNames, type.entryTypes.map(name))})`
  if (type instanceof DuckDBUnionType) return `UNION(${fields(type.memberTags, type.memberTypes.map(name))})`
  return null
}

function fields(names: readonly string[], types: readonly string[]): string {
  return types.map((type, at) => (names[at] ? `${quotedIdentifier(names[at])} ${type}` : type)).join(', ')
}

const FAMILIES: Partial<Record<DuckDBTypeId, ColumnFamily>> = {
  [DuckDBTypeId.BOOLEAN]: 'boolean',
  [DuckDBTypeId.TINYINT]: 'number',
  [DuckDBTypeId.SMALLINT]: 'number',
  [DuckDBTypeId.INTEGER]: 'number',
  [DuckDBTypeId.BIGINT]: 'number',
  [DuckDBTypeId.HUGEINT]: 'number',
  [DuckDBTypeId.UTINYINT]: 'number',
  [DuckDBTypeId.USMALLINT]: 'number',
  [DuckDBTypeId.UINTEGER]: 'number',
  [DuckDBTypeId.UBIGINT]: 'number',
  [DuckDBTypeId.UHUGEINT]: 'number',
  [DuckDBTypeId.BIGNUM]: 'number',
  [DuckDBTypeId.DECIMAL]: 'number',
  [DuckDBTypeId.FLOAT]: 'number',
  [DuckDBTypeId.DOUBLE]: 'number',
  [DuckDBTypeId.VARCHAR]: 'text',
  [DuckDBTypeId.ENUM]: 'text',
  [DuckDBTypeId.UUID]: 'text',
  [DuckDBTypeId.GEOMETRY]: 'text',
  [DuckDBTypeId.DATE]: 'temporal',
  [DuckDBTypeId.TIME]: 'temporal',
  [DuckDBTypeId.TIME_NS]: 'temporal',
  [DuckDBTypeId.TIME_TZ]: 'temporal',
  [DuckDBTypeId.TIMESTAMP]: 'temporal',
  [DuckDBTypeId.TIMESTAMP_S]: 'temporal',
  [DuckDBTypeId.TIMESTAMP_MS]: 'temporal',
  [DuckDBTypeId.TIMESTAMP_NS]: 'temporal',
  [DuckDBTypeId.TIMESTAMP_TZ]: 'temporal',
  [DuckDBTypeId.INTERVAL]: 'temporal',
  [DuckDBTypeId.BLOB]: 'binary',
  [DuckDBTypeId.BIT]: 'binary',
  [DuckDBTypeId.LIST]: 'nested',
  [DuckDBTypeId.ARRAY]: 'nested',
  [DuckDBTypeId.STRUCT]: 'nested',
  [DuckDBTypeId.MAP]: 'nested',
  [DuckDBTypeId.UNION]: 'nested',
  [DuckDBTypeId.VARIANT]: 'nested',
}

export function columnFamily(type: DuckDBType): ColumnFamily {
  return FAMILIES[type.typeId] ?? 'other'
}
