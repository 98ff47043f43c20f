import { type DuckDBConnection, quotedString } from '@duckdb/node-api'
import { FACTS_KEY, type ResultFacts } from '../../../results/form.ts'

/** Options of the COPY that writes a result. Small groups of rows let a window be read without what is before it. */
export function fileOptions(facts: ResultFacts): string {
  const json = quotedString(JSON.stringify(facts))
  return `FORMAT parquet, ROW_GROUP_SIZE 20480, USE_TMP_FILE false, KV_METADATA {${FACTS_KEY}: ${json}}`
}

export async function readFacts(connection: DuckDBConnection, file: string): Promise<ResultFacts> {
  const found = await connection.runAndReadAll(
    `SELECT decode(value) FROM parquet_kv_metadata(${quotedString(file)}) WHERE decode(key) = '${FACTS_KEY}'`,
  )
  return JSON.parse(String(found.getRows()[0]?.[0])) as ResultFacts
}
