import {
  type DuckDBType,
  DuckDBArrayType,
  DuckDBDecimalType,
  DuckDBEnumType,
  DuckDBListType,
  DuckDBMapType,
  DuckDBStructType,
  DuckDBTypeId,
  DuckDBUnionType,
  quotedIdentifier,
} from '@duckdb/node-api'
import type { ValueField, ValueType } from '../../engine/columns.ts'
import { type TypeDefaults, parseTypeName } from '../../engine/type-names.ts'

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

/** What DuckDB means by a name that says no more. */
const DEFAULTS: TypeDefaults = { timePrecision: 6, decimal: { precision: 18, scale: 3 } }

/** What a name of a type of DuckDB says, as of a column of a result that was kept before types were. */
export const namedType = (name: string): ValueType => parseTypeName(name, DEFAULTS)

const scalars = new Map<DuckDBTypeId, ValueType>()

/** By the type itself and not by its name: that may be one of the user's. */
function scalarType({ typeId }: DuckDBType): ValueType {
  const type = scalars.get(typeId) ?? namedType(DuckDBTypeId[typeId])
  scalars.set(typeId, type)
  return type
}

const fieldsOf = (names: readonly string[], types: readonly DuckDBType[]): ValueField[] =>
  types.map((type, at) => ({ name: names[at] ?? '', type: valueTypeOf(type) }))

export function valueTypeOf(type: DuckDBType): ValueType {
  if (type.alias === 'JSON') return { kind: 'json' }
  if (type instanceof DuckDBDecimalType) return { kind: 'decimal', precision: type.width, scale: type.scale }
  if (type instanceof DuckDBListType)
    return { kind: 'list', element: valueTypeOf(type.valueType), length: null }
  if (type instanceof DuckDBArrayType)
    return { kind: 'list', element: valueTypeOf(type.valueType), length: type.length }
  if (type instanceof DuckDBMapType)
    return { kind: 'map', key: valueTypeOf(type.keyType), value: valueTypeOf(type.valueType) }
  if (type instanceof DuckDBStructType)
    return { kind: 'struct', fields: fieldsOf(type.entryNames, type.entryTypes) }
  if (type instanceof DuckDBUnionType)
    return { kind: 'union', fields: fieldsOf(type.memberTags, type.memberTypes) }
  return scalarType(type)
}
