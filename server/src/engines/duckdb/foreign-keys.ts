import type { DuckDBConnection } from '@duckdb/node-api'
import { StatementRefused } from './errors.ts'

/** Every foreign key with the table it is in, the one it refers to, and whether that one is there. */
const KEYS = `SELECT string_agg(concat_ws('.', database_name, schema_name, table_name, referenced_table, is_there), ' ' ORDER BY ALL)
  FROM (SELECT c.*, EXISTS (FROM duckdb_tables() t WHERE t.database_name = c.database_name
      AND t.schema_name = c.schema_name AND lower(t.table_name) = lower(c.referenced_table)) AS is_there
    FROM duckdb_constraints() c WHERE c.constraint_type = 'FOREIGN KEY')`

async function foreignKeys(connection: DuckDBConnection): Promise<string> {
  const result = await connection.run(KEYS)
  return String(result.getChunk(0).getColumnVector(0).getItem(0))
}

/**
 * Alters a table in the open transaction. DuckDB 1.5 lets tables be renamed that foreign keys name, and the names stay
 * behind: then it can no longer write to these tables, and never ends when it writes its log back.
 */
export async function keepingForeignKeys<T>(
  connection: DuckDBConnection,
  sql: string,
  alter: () => Promise<T>,
): Promise<T> {
  if (!/rename/i.test(sql)) return alter()
  const before = await foreignKeys(connection)
  const done = await alter()
  if ((await foreignKeys(connection)) === before) return done
  // The transaction may be the user's, and must not be committed with this.
  await connection.run(`SELECT error('')`).catch(() => undefined)
  const message =
    'A table with a foreign key, or to which one refers, cannot be renamed. Create it under the new name, and drop this one.'
  throw new StatementRefused({ kind: 'data', message })
}
