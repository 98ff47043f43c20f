import type { DuckDBConnection } from '@duckdb/node-api'
import { StatementRefused } from '../errors.ts'

const COLUMN = 'rowid'

/**
 * A statement that was rendered may distinguish rows by the number that DuckDB gives them. Where a table has a column of that
 * name, the name means the column: other rows would be changed than those that were found.
 */
export async function requireNumberedRows(
  connection: DuckDBConnection,
  tables: readonly string[],
): Promise<void> {
  for (const table of tables) {
    const prepared = await connection.prepare(`SELECT * FROM ${table} LIMIT 0`)
    try {
      const names = Array.from({ length: prepared.columnCount }, (_, at) => prepared.columnName(at))
      if (!names.some((name) => name.toLowerCase() === COLUMN)) continue
      const message = `This form of UPDATE and DELETE is not available for a table with a column that is named ${COLUMN}. Use a plain WHERE.`
      throw new StatementRefused({ kind: 'permission', message, code: 'not-supported' })
    } finally {
      prepared.destroySync()
    }
  }
}
