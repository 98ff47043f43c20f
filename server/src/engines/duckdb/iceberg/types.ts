import { quotedIdentifier } from '@duckdb/node-api'
import type { IcebergField, IcebergType } from '../../../kernel/iceberg.ts'
import { TableRefused } from './manifests.ts'

const PRIMITIVES: Readonly<Record<string, string>> = {
  boolean: 'BOOLEAN',
  int: 'INTEGER',
  long: 'BIGINT',
  float: 'FLOAT',
  double: 'DOUBLE',
  date: 'DATE',
  time: 'TIME',
  timestamp: 'TIMESTAMP',
  timestamptz: 'TIMESTAMP WITH TIME ZONE',
  string: 'VARCHAR',
  uuid: 'UUID',
  binary: 'BLOB',
}

function primitive(name: string, column: string): string {
  const known = Object.hasOwn(PRIMITIVES, name) ? PRIMITIVES[name] : undefined
  if (known !== undefined) return known
  const [, precision, scale] = /^decimal\(\s*(\d{1,2})\s*,\s*(\d{1,2})\s*\)$/.exec(name) ?? []
  if (precision !== undefined && Number(precision) <= 38) return `DECIMAL(${precision}, ${scale})`
  if (/^fixed\[\d{1,9}\]$/.test(name)) return 'BLOB'
  throw new TableRefused(`its column ${column} has a type that this engine does not read`)
}

/** As DuckDB writes it. */
export function duckdbType(type: IcebergType, column: string): string {
  if (typeof type === 'string') return primitive(type, column)
  if (type.type === 'list') return `${duckdbType(type.element, column)}[]`
  if (type.type === 'map') return `MAP(${duckdbType(type.key, column)}, ${duckdbType(type.value, column)})`
  const parts = type.fields.map(
    ({ name, type: part }: IcebergField) => `${quotedIdentifier(name)} ${duckdbType(part, column)}`,
  )
  if (parts.length === 0) throw new TableRefused(`its column ${column} has no parts`)
  return `STRUCT(${parts.join(', ')})`
}
