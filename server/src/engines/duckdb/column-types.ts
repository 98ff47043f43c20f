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
import type { ColumnFamily } from '../engine.ts'

// An enum may have millions of members; its type travels with every result.
const MOST_ENUM_MEMBERS_SPELT = 100

/** DuckDB's spelling of a type, which DuckDB also reads back. */
export function typeName(type: DuckDBType): string {
  if (type.alias) return type.alias
  if (type instanceof DuckDBListType) return `${typeName(type.valueType)}[]`
  if (type instanceof DuckDBArrayType) return `${typeName(type.valueType)}[${type.length}]`
  if (type instanceof DuckDBMapType) return `MAP(${typeName(type.keyType)}, ${typeName(type.valueType)})`
  if (type instanceof DuckDBStructType) return `STRUCT(${fields(type.entryNames, type.entryTypes)})`
  if (type instanceof DuckDBUnionType) return `UNION(${fields(type.memberTags, type.memberTypes)})`
  if (type instanceof DuckDBEnumType && type.values.length > MOST_ENUM_MEMBERS_SPELT) return 'ENUM'
  return type.toString()
}

function fields(names: readonly string[], types: readonly DuckDBType[]): string {
  return types
    .map((type, at) => (names[at] ? `${quotedIdentifier(names[at])} ${typeName(type)}` : typeName(type)))
    .join(', ')
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
  [DuckDBTypeId.GEOMETRY]: 'binary',
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
