import type { DuckDBConnection } from '@duckdb/node-api'
import { readReport } from '../errors.ts'

const NO_KEY = 'There are no UNIQUE/PRIMARY KEY constraints'
const CONFLICTS = /^((?:\s|--[^\n]*\n|\/\*[^]*?\*\/)*INSERT)( OR (?:REPLACE|IGNORE))/

/**
 * In MySQL, REPLACE and INSERT IGNORE insert where a table has no key, since no row is in the way of another. DuckDB refuses
 * them there. The text keeps its length, so that places in it stay where they are.
 */
export async function withoutConflicts(
  connection: DuckDBConnection,
  sql: string,
  table: string | undefined,
): Promise<string> {
  if (table === undefined || !CONFLICTS.test(sql) || !(await hasNoKey(connection, table))) return sql
  return sql.replace(CONFLICTS, (_, insert: string, or: string) => insert + ' '.repeat(or.length))
}

/** Bound only. What else is wrong with the table, the statement itself finds, after the privileges were checked. */
async function hasNoKey(connection: DuckDBConnection, table: string): Promise<boolean> {
  try {
    const prepared = await connection.prepare(`INSERT OR IGNORE INTO ${table} DEFAULT VALUES`)
    prepared.destroySync()
    return false
  } catch (error) {
    return readReport(error).message.startsWith(NO_KEY)
  }
}
