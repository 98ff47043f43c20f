import type { DuckDBConnection } from '@duckdb/node-api'
import { StatementRefused } from '../errors.ts'
import { foldedText } from '../folded-text.ts'

/** Of all tables, in a fifth of the time that the list of tables takes. */
const HAS_KEYS = `SELECT 1 FROM system.main.duckdb_constraints() WHERE constraint_type = 'FOREIGN KEY' LIMIT 1`

/** Every table with foreign keys, with the names in them and the tables that these are. Both keep their oid when altered. */
const KEYS = `SELECT system.main.concat(database_name, ' ', table_oid),
    system.main.string_agg(system.main.concat_ws(' ', schema_name, table_name, referenced_table, referenced_oid), ', ' ORDER BY referenced_table)
  FROM (SELECT c.*, (SELECT t.table_oid FROM system.main.duckdb_tables() t WHERE t.database_name = c.database_name
      AND t.schema_name = c.schema_name AND ${foldedText('t.table_name')} = ${foldedText('c.referenced_table')}) AS referenced_oid
    FROM system.main.duckdb_constraints() c WHERE c.constraint_type = 'FOREIGN KEY')
  GROUP BY ALL`

async function foreignKeys(connection: DuckDBConnection): Promise<ReadonlyMap<string, string>> {
  if ((await connection.runAndReadAll(HAS_KEYS)).currentRowCount === 0) return new Map()
  const reader = await connection.runAndReadAll(KEYS)
  return new Map(reader.getRows().map(([table, keys]) => [String(table), String(keys)]))
}

/** All by which a table can get another name, or a name another table. */
const RENAMES = /rename|replace/i

/**
 * Changes what is defined, in the open transaction. DuckDB 1.5 lets tables be renamed and replaced that foreign keys
 * name, once one of them was altered. Then it can no longer write to them, never ends when it writes its log back, or
 * cannot read that log again.
 */
export async function keepingForeignKeys<T>(
  connection: DuckDBConnection,
  sql: string,
  define: () => Promise<T>,
): Promise<T> {
  if (!RENAMES.test(sql)) return define()
  const before = await foreignKeys(connection)
  const done = await define()
  if (before.size === 0) return done
  const after = await foreignKeys(connection)
  const isBroken = [...before].some(([table, keys]) => after.has(table) && after.get(table) !== keys)
  if (!isBroken) return done
  // The transaction may be the user's, and must not be committed with this.
  await connection.run(`SELECT system.main.error('')`).catch(() => undefined)
  const message =
    'A table with a foreign key cannot be renamed. A table that a foreign key refers to can be neither renamed nor replaced. Create another table and drop this one.'
  throw new StatementRefused({ kind: 'data', message })
}
