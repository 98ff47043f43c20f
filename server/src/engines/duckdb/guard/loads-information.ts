import { quotedIdentifier } from '@duckdb/node-api'
import { SYSTEM_DATABASE, SYSTEM_TABLES, type SystemTable } from '../../engine/system-tables.ts'

/** A table of `information_schema` with the rows of one in `sys`, which the service sends with a statement that names it. */
function behind(table: SystemTable): string {
  const columns = Object.keys(SYSTEM_TABLES[table]).map(
    (name) => `${quotedIdentifier(name)} AS ${quotedIdentifier(name.toUpperCase())}`,
  )
  return `SELECT ${columns.join(', ')} FROM ${SYSTEM_DATABASE}.${table}`
}

export const LOADS = behind('loads')
export const PIPES = behind('pipes')
export const PIPE_FILES = behind('pipe_files')
