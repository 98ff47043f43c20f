import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type DuckDBConnection,
  DuckDBDataChunk,
  VARCHAR,
  quotedIdentifier,
  quotedString,
} from '@duckdb/node-api'
import type { Cell } from '../../engine.ts'
import { type ResultFacts, UNFINISHED, checkId, fileOptions } from './result-file.ts'

/** A small result as the texts that were shown of it. Costs a tenth of a Parquet file to write. */
export interface TextResult {
  readonly facts: ResultFacts
  readonly rows: readonly (readonly Cell[])[]
}

export const TEXT_ENDING = '.json'

export function textFile(directory: string, queryId: string): string {
  return join(directory, `${checkId(queryId)}${TEXT_ENDING}`)
}

/** At once: a small file is written sooner than anyone else is asked to write it. */
export function writeTexts(file: string, result: TextResult): void {
  const draft = `${file}${UNFINISHED}`
  try {
    writeFileSync(draft, JSON.stringify(result))
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

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
  const draft = `${file}${UNFINISHED}`
  await connection.run(
    `COPY (SELECT ${values.join(', ')} FROM texts) TO ${quotedString(draft)} (${fileOptions(facts)})`,
  )
  await rename(draft, file)
}
