import { appendFile, copyFile, rename, rm } from 'node:fs/promises'
import { type DuckDBConnection, quotedIdentifier, quotedString } from '@duckdb/node-api'
import { sizeOf } from '../../../results/files.ts'
import { type ResultFacts, UNFINISHED } from '../../../results/form.ts'
import type { ExportFormat } from '../../../results/reader.ts'
import { csvText, jsonObject } from './export-text.ts'
import { fileRows } from './file-rows.ts'
import { restoredTypes } from './restored-types.ts'
import { fileOptions } from '../result-writer/result-file.ts'
import { restored, storedType } from '../result-writer/stored-columns.ts'
import { writeXlsx } from './xlsx.ts'

export interface WriteOrder {
  /** The kept result. */
  readonly source: string
  readonly facts: ResultFacts
  readonly format: ExportFormat
  readonly target: string
  /** Nothing larger is made. */
  readonly maxBytes: number
  /** A second connection, for questions while rows flow from the first. */
  readonly other: DuckDBConnection
  readonly making: Making
}

/** A file that is being made. */
export interface Making {
  readonly signal: AbortSignal
  /** From 0 to 100; null where it is not known. */
  percent: number | null
}

/** The requester does not want the file any more. */
export class ExportStopped extends Error {
  override readonly name = 'ExportStopped'
}

// A file grows by some 20 MB meanwhile.
const LOOK_EVERY_MS = 50

/**
 * Writes a kept result as a file for someone to take away; it is there as a whole or not at all. Answers its size, or
 * null when it would be larger than it may be.
 */
export async function writeExport(connection: DuckDBConnection, order: WriteOrder): Promise<number | null> {
  const draft = `${order.target}${UNFINISHED}`
  const isOver = async () => ((await sizeOf(draft)) ?? 0) > order.maxBytes
  const { signal } = order.making
  const stop = () => connection.interrupt()
  signal.addEventListener('abort', stop)
  const watch = setInterval(() => {
    // If a look fails, the last one reports why.
    isOver().then(
      (over) => over && connection.interrupt(),
      () => undefined,
    )
  }, LOOK_EVERY_MS)
  try {
    if (!signal.aborted) await WRITERS[order.format](connection, order, draft)
    if (signal.aborted) throw new ExportStopped('The export was stopped.')
    if (await isOver()) return null
    await rename(draft, order.target)
    return await sizeOf(order.target)
  } catch (error) {
    if (signal.aborted) throw new ExportStopped('The export was stopped.', { cause: error })
    if (await isOver()) return null
    throw error
  } finally {
    clearInterval(watch)
    signal.removeEventListener('abort', stop)
    await rm(draft, { force: true })
  }
}

type Writer = (connection: DuckDBConnection, order: WriteOrder, draft: string) => Promise<void>

const WRITERS: Readonly<Record<ExportFormat, Writer>> = {
  csv: writeCsv,
  json: writeJson,
  parquet: writeParquet,
  xlsx: writeSheet,
}

/** The file itself, unless its values are only texts there. */
async function writeParquet(connection: DuckDBConnection, order: WriteOrder, draft: string): Promise<void> {
  const { source, facts } = order
  if (!facts.holdsTexts) return copyFile(source, draft)
  const values = facts.columns.map((column) => `${restored(column)} AS ${quotedIdentifier(column.field)}`)
  const rows = `SELECT ${values.join(', ')} FROM read_parquet(${quotedString(source)})`
  const { holdsTexts: _, ...said } = facts
  await connection.run(`COPY (${rows}) TO ${quotedString(draft)} (${fileOptions(said)})`)
}

async function writeCsv(connection: DuckDBConnection, order: WriteOrder, draft: string): Promise<void> {
  const types = await restoredTypes(connection, order)
  const { columns } = order.facts
  // A line with nothing in it is no row to those who read the file: where a row is a single NULL, it has quotes.
  const said = (text: string) => (columns.length === 1 ? `coalesce(CAST(${text} AS VARCHAR), '')` : text)
  const values = columns.map((column, at) => {
    const type = types[at]
    const text = type ? csvText(column, type) : restored(column)
    return `${said(text)} AS ${quotedIdentifier(column.field)}`
  })
  const rows = `SELECT ${values.join(', ')} FROM read_parquet(${quotedString(order.source)})`
  await connection.run(
    `COPY (${rows}) TO ${quotedString(draft)} (FORMAT csv, HEADER true, USE_TMP_FILE false)`,
  )
}

/** An array with a line for each row. */
async function writeJson(connection: DuckDBConnection, order: WriteOrder, draft: string): Promise<void> {
  const begin = `CASE WHEN file_row_number = 0 THEN '[' ELSE ',' END`
  const line = jsonObject(begin, order.facts.columns, await restoredTypes(connection, order))
  const source = `read_parquet(${quotedString(order.source)}, file_row_number = true)`
  const lines = `SELECT ${line} FROM ${source}`
  // Lines as they are: a CSV file of one column and without quotes.
  const options = `FORMAT csv, HEADER false, QUOTE '', ESCAPE '', DELIMITER '', USE_TMP_FILE false`
  await connection.run(`COPY (${lines}) TO ${quotedString(draft)} (${options})`)
  await appendFile(draft, order.facts.rows === 0 ? '[]\n' : ']\n')
}

function writeSheet(connection: DuckDBConnection, order: WriteOrder, draft: string) {
  const { source, facts, other, making } = order
  const columns = facts.columns.map((column) => ({ header: column.field, type: storedType(column) }))
  return writeXlsx(draft, {
    columns,
    count: facts.rows,
    rows: counted(fileRows(connection, { source, facts, other }), facts.rows, making),
  })
}

/** Says how far the rows are, and ends them when they are not wanted any more. */
async function* counted<T>(rows: AsyncIterable<T>, all: number, making: Making): AsyncGenerator<T> {
  let done = 0
  for await (const row of rows) {
    making.signal.throwIfAborted()
    yield row
    making.percent = (100 * ++done) / all
  }
}
