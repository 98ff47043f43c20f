import {
  type DuckDBType,
  DuckDBArrayType,
  DuckDBListType,
  DuckDBMapType,
  DuckDBStructType,
  DuckDBTypeId,
  LIST,
  MAP,
  quotedIdentifier,
} from '@duckdb/node-api'
import { type ValueType, columnOf } from '../../engine/columns.ts'
import type { StoredColumn } from '../../../results/form.ts'
import { namedType, tableType, typeName, valueTypeOf } from '../rows/column-types.ts'

export interface ColumnOrigin {
  readonly name: string
  readonly field: string
  readonly type: DuckDBType
}

export function storedColumn({ name, field, type }: ColumnOrigin): StoredColumn {
  const isText = !isExactInParquet(type)
  return {
    ...columnOf(name, typeName(type), valueTypeOf(type)),
    // Reading a file by row number gives it a column of this name.
    field: field.toLowerCase() === 'file_row_number' ? `${field}_` : field,
    readAs: isText ? 'VARCHAR' : tableType(type),
    isText,
  }
}

/** One of a result that was kept before columns had it has what its name says. */
export const storedType = ({ type, valueType }: StoredColumn): ValueType => valueType ?? namedType(type)

/** What goes into the file for a value of the column. */
export function storedValue(column: StoredColumn, type: DuckDBType | undefined, value: string): string {
  const stored = type ? storedAs(column, type, value) : value
  return `${stored} AS ${quotedIdentifier(column.field)}`
}

function storedAs({ isText, readAs }: StoredColumn, type: DuckDBType, value: string): string {
  if (isText) return `${value}::VARCHAR`
  const asLists = tableType(withLists(type))
  return asLists === readAs ? value : `CAST(${value} AS ${asLists})`
}

/** For an ARRAY that is NULL, DuckDB writes as many values as it would have, and other readers refuse the file. */
function withLists(type: DuckDBType): DuckDBType {
  if (type instanceof DuckDBListType || type instanceof DuckDBArrayType)
    return LIST(withLists(type.valueType))
  if (type instanceof DuckDBMapType) return MAP(withLists(type.keyType), withLists(type.valueType))
  if (type instanceof DuckDBStructType)
    return new DuckDBStructType(type.entryNames, type.entryTypes.map(withLists))
  return type
}

/** The column's values as they were, or their text. */
export function restored({ field, readAs }: StoredColumn): string {
  return `CAST(${quotedIdentifier(field)} AS ${readAs})`
}

/**
 * Types whose values Parquet, as DuckDB writes it, gives back unchanged. No geometries: it says of all that they are on
 * the Earth, and those with a measure come back as bytes.
 */
const EXACT = new Set([
  DuckDBTypeId.SQLNULL,
  DuckDBTypeId.BOOLEAN,
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.FLOAT,
  DuckDBTypeId.DOUBLE,
  DuckDBTypeId.DECIMAL,
  DuckDBTypeId.DATE,
  DuckDBTypeId.TIME,
  DuckDBTypeId.TIMESTAMP,
  DuckDBTypeId.TIMESTAMP_NS,
  DuckDBTypeId.TIMESTAMP_TZ,
  DuckDBTypeId.VARCHAR,
  DuckDBTypeId.ENUM,
  DuckDBTypeId.UUID,
  DuckDBTypeId.BLOB,
])

function isExactInParquet(type: DuckDBType): boolean {
  if (type instanceof DuckDBListType || type instanceof DuckDBArrayType)
    return isExactInParquet(type.valueType)
  if (type instanceof DuckDBMapType) return isExactInParquet(type.keyType) && isExactInParquet(type.valueType)
  if (type instanceof DuckDBStructType)
    return type.entryNames.every(Boolean) && type.entryTypes.every(isExactInParquet)
  return EXACT.has(type.typeId)
}

/** What is shown of a value is all there is to it, and reads back as the same. */
export function isSaidByText(column: StoredColumn, type: DuckDBType | undefined, timeZone: string): boolean {
  if (column.isText) return true
  // The local time of the last instants is beyond what can be read.
  if (type?.typeId === DuckDBTypeId.TIMESTAMP_TZ) return timeZone === 'UTC'
  return type !== undefined && EXACT.has(type.typeId)
}

/** A tuple's fields have no names, and no table can have such a column. */
export function canBeStored(type: DuckDBType): boolean {
  if (type instanceof DuckDBListType || type instanceof DuckDBArrayType) return canBeStored(type.valueType)
  if (type instanceof DuckDBMapType) return canBeStored(type.keyType) && canBeStored(type.valueType)
  if (type instanceof DuckDBStructType)
    return type.entryNames.every(Boolean) && type.entryTypes.every(canBeStored)
  return true
}
