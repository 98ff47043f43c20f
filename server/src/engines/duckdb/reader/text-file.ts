import { readFile } from 'node:fs/promises'
import {
  type DuckDBConnection,
  DuckDBDataChunk,
  VARCHAR,
  quotedIdentifier,
  quotedString,
} from '@duckdb/node-api'
import type { TextResult } from '../../../results/form.ts'
import { fileOptions } from '../result-writer/result-file.ts'

/** Null when there is no such file (any more). */
export async function readTexts(file: string): Promise<TextResult | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as TextResult
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

const ROWS_AT_ONCE = 2048

/** The same as a Parquet file: texts are read back as the values they were. */
export async function textsToParquet(
  connection: DuckDBConnection,
  { facts, rows }: TextResult,
  file: string,
): Promise<void> {
  const names = facts.columns.map((_, at) => `c${at}`)
  await connection.run(`CREATE TEMP TABLE texts (${names.map((name) => `${name} VARCHAR`).join(', ')})`)
  const appender = await connection.createAppender('texts', 'main', 'temp')
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const some = rows.slice(from, from + ROWS_AT_ONCE)
    const chunk = DuckDBDataChunk.create(
      names.map(() => VARCHAR),
      some.length,
    )
    chunk.setRows(some)
    appender.appendDataChunk(chunk)
  }
  appender.closeSync()
  const values = facts.columns.map(
    ({ field, readAs }, at) => `CAST(c${at} AS ${readAs}) AS ${quotedIdentifier(field)}`,
  )
  await connection.run(
    `COPY (SELECT ${values.join(', ')} FROM texts) TO ${quotedString(file)} (${fileOptions(facts)})`,
  )
  await connection.run('DROP TABLE texts')
}
