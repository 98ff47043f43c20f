import { type DuckDBConnection, type DuckDBType, quotedString } from '@duckdb/node-api'
import type { ResultFacts } from '../../../results/form.ts'
import { restored } from '../result-writer/stored-columns.ts'

/** Of the values of a kept result, column by column. */
export async function restoredTypes(
  connection: DuckDBConnection,
  { facts, source }: { readonly facts: ResultFacts; readonly source: string },
): Promise<DuckDBType[]> {
  const columns = facts.columns.map(restored).join(', ')
  const prepared = await connection.prepare(`SELECT ${columns} FROM read_parquet(${quotedString(source)})`)
  const types = facts.columns.map((_, at) => prepared.columnType(at))
  prepared.destroySync()
  return types
}
