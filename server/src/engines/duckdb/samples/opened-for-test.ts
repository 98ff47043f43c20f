import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { tpchLikeStatements, type TpchLikeOptions } from './tpch-like.ts'

export interface OpenedSample extends AsyncDisposable {
  readonly connection: DuckDBConnection
  /** Rows as text, booleans, numbers and nulls. */
  rows(sql: string): Promise<unknown[][]>
  /** Objects by column name, of the first row. */
  first(sql: string): Promise<Record<string, unknown>>
}

/** The sample in a DuckDB of its own inside the test's process; the session is in the sample's database. */
export async function openSample(
  options: TpchLikeOptions & { readonly path?: string; readonly threads?: number },
): Promise<OpenedSample> {
  const instance = await DuckDBInstance.create(options.path ?? ':memory:', {
    threads: String(options.threads ?? 2),
  })
  const connection = await instance.connect()
  for (const statement of tpchLikeStatements(options)) await connection.run(statement)
  await connection.run(`USE ${options.database}`)
  return {
    connection,
    rows: async (sql) => (await connection.runAndReadAll(sql)).getRowsJson(),
    first: async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJson()[0] ?? {},
    async [Symbol.asyncDispose]() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}
