import { readdir, rm, stat } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { type DuckDBConnection, quotedString } from '@duckdb/node-api'
import { StatementRefused } from '../errors.ts'
import type { StoredColumn } from './stored-columns.ts'

/** What is known of a kept result beside its rows; stands in the same file. */
export interface ResultFacts {
  readonly columns: readonly StoredColumn[]
  readonly rows: number
  readonly complete: boolean
  /** In which its instants are shown. */
  readonly timeZone: string
}

/** The same with no more rows than these. */
export function cut(facts: ResultFacts, rows: number): ResultFacts {
  return facts.rows <= rows ? facts : { ...facts, rows, complete: false }
}

const ENDING = '.parquet'
/** A file that is being written. */
export const UNFINISHED = '.new'
const FACTS_KEY = 'boathouse'

/** Ids name files: they come from the service, which makes them itself. */
export function resultFile(directory: string, queryId: string): string {
  return join(directory, `${checkId(queryId)}${ENDING}`)
}

export function checkId(queryId: string): string {
  if (/^[\w-]{1,100}$/.test(queryId)) return queryId
  const message = 'A query id has letters, digits, - and _ only.'
  throw new StatementRefused({ kind: 'syntax', message })
}

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

/** By the ids they are named after. */
export async function listFiles(directory: string): Promise<{ queryId: string; bytes: number }[]> {
  const found = new Map<string, number>()
  for (const name of await readdir(directory)) {
    const bytes = name.endsWith(UNFINISHED) ? null : await sizeOf(join(directory, name))
    const { name: queryId } = parse(name)
    if (bytes !== null) found.set(queryId, (found.get(queryId) ?? 0) + bytes)
  }
  return [...found].map(([queryId, bytes]) => ({ queryId, bytes }))
}

/** Null when there is no such file (any more). */
export async function sizeOf(file: string): Promise<number | null> {
  try {
    return (await stat(file)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** What a process that ended in the middle left behind. */
export async function removeUnfinished(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (name.endsWith(UNFINISHED)) await rm(join(directory, name), { force: true })
  }
}
