import { quotedIdentifier, quotedString } from '@duckdb/node-api'
import {
  SYSTEM_DATABASE,
  SYSTEM_TABLES,
  type SystemColumnType,
  type SystemRows,
  type SystemTable,
} from '../../engine/system-tables.ts'
import { INTERNAL_SCHEMA } from './internal-schema.ts'

const TYPES: Readonly<Record<SystemColumnType, string>> = {
  text: 'VARCHAR',
  integer: 'BIGINT',
  decimal: 'DECIMAL(18,6)',
  boolean: 'BOOLEAN',
  instant: 'TIMESTAMPTZ',
}

const variableOf = (table: string): string => `${INTERNAL_SCHEMA}_system_${table}`

function viewOf(table: SystemTable): string {
  const columns = Object.entries(SYSTEM_TABLES[table]) as [string, SystemColumnType][]
  const read = columns.map(
    ([name, type]) =>
      `CAST(system.main.json_extract_string(entry, ${quotedString(`$.${name}`)}) AS ${TYPES[type]}) AS ${quotedIdentifier(name)}`,
  )
  const full = `${SYSTEM_DATABASE}.${table}`
  const words = `${full} can only be read with its full name, and not inside a view or macro. ${table} alone is not enough.`
  const rows = `coalesce(CAST(system.main.getvariable(${quotedString(variableOf(table))}) AS VARCHAR), CAST(system.main.error(${quotedString(words)}) AS VARCHAR))`
  return `SELECT ${read.join(', ')} FROM (SELECT unnest(CAST(system.main.json(${rows}) AS JSON[])) AS entry)`
}

/** Their rows are in variables of the session, which no text can name. */
export const systemViews = (place: string): readonly string[] =>
  (Object.keys(SYSTEM_TABLES) as SystemTable[]).map(
    (table) => `CREATE VIEW ${place}.${quotedIdentifier(table)} AS ${viewOf(table)}`,
  )

/** What puts these rows there, and what takes them away again. */
export function systemRows(rows: SystemRows): { readonly set: string; readonly reset: string } {
  const tables = Object.entries(rows)
  return {
    set: tables.map(([table, json]) => `SET VARIABLE ${variableOf(table)} = ${quotedString(json)}`).join(';'),
    reset: tables.map(([table]) => `RESET VARIABLE ${variableOf(table)}`).join(';'),
  }
}
