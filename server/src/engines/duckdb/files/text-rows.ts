import type { DuckDBConnection } from '@duckdb/node-api'

/** What a question of ours answers, in which everything is cast to text. */
export async function textRows(connection: DuckDBConnection, sql: string): Promise<(string | null)[][]> {
  const found = await connection.runAndReadAll(sql)
  return found.getRowsJson().map((row) => row.map((value) => (typeof value === 'string' ? value : null)))
}
