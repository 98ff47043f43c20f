import { appendFile, copyFile, rename, rm } from 'node:fs/promises'
import { type DuckDBConnection, type DuckDBType, quotedIdentifier, quotedString } from '@duckdb/node-api'
import type { ExportFormat } from '../../engine.ts'
import { csvText, jsonObject } from './export-text.ts'
import { type ResultFacts, UNFINISHED } from './result-file.ts'
import { restored } from './stored-columns.ts'

export interface ExportOrder {
  /** The kept result. */
  readonly source: string
  readonly facts: ResultFacts
  readonly format: ExportFormat
  readonly target: string
}

/** Writes a kept result as a file for someone to take away; it is there as a whole or not at all. */
export async function writeExport(connection: DuckDBConnection, order: ExportOrder): Promise<void> {
  const draft = `${order.target}${UNFINISHED}`
  try {
    await WRITERS[order.format](connection, order, draft)
    await rename(draft, order.target)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

type Writer = (connection: DuckDBConnection, order: ExportOrder, draft: string) => Promise<void>

const WRITERS: Readonly<Record<ExportFormat, Writer>> = {
  csv: writeCsv,
  json: writeJson,
  parquet: (_connection, { source }, draft) => copyFile(source, draft),
}

async function writeCsv(connection: DuckDBConnection, order: ExportOrder, draft: string): Promise<void> {
  const types = await restoredTypes(connection, order)
  const columns = order.facts.columns.map((column, at) => {
    const type = types[at]
    const text = type ? csvText(column, type) : restored(column)
    return `${text} AS ${quotedIdentifier(column.field)}`
  })
  const rows = `SELECT ${columns.join(', ')} FROM read_parquet(${quotedString(order.source)})`
  await connection.run(
    `COPY (${rows}) TO ${quotedString(draft)} (FORMAT csv, HEADER true, USE_TMP_FILE false)`,
  )
}

/** An array with a line for each row. */
async function writeJson(connection: DuckDBConnection, order: ExportOrder, draft: string): Promise<void> {
  const object = jsonObject(order.facts.columns, await restoredTypes(connection, order))
  const source = `read_parquet(${quotedString(order.source)}, file_row_number = true)`
  const lines = `SELECT CASE WHEN file_row_number = 0 THEN '[' ELSE ',' END || ${object} FROM ${source}`
  // Lines as they are: a CSV file of one column and without quotes.
  const options = `FORMAT csv, HEADER false, QUOTE '', ESCAPE '', DELIMITER '', USE_TMP_FILE false`
  await connection.run(`COPY (${lines}) TO ${quotedString(draft)} (${options})`)
  await appendFile(draft, order.facts.rows === 0 ? '[]\n' : ']\n')
}

async function restoredTypes(
  connection: DuckDBConnection,
  { facts, source }: ExportOrder,
): Promise<DuckDBType[]> {
  const columns = facts.columns.map(restored).join(', ')
  const prepared = await connection.prepare(`SELECT ${columns} FROM read_parquet(${quotedString(source)})`)
  const types = facts.columns.map((_, at) => prepared.columnType(at))
  prepared.destroySync()
  return types
}
