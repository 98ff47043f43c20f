import { type DuckDBConnection, quotedIdentifier } from '@duckdb/node-api'
import type { FileReading, InspectOrder } from '../../engine/files.ts'
import { readResult, type ReadRows } from '../rows/result-rows.ts'
import { csvSource, leavingOut, sniffCsv } from './csv-source.ts'
import { refuse, refuseColumns, refuseLying } from './file-head.ts'
import { refuseDeepJson } from './json-depth.ts'
import type { LinkedFile } from './linked-file.ts'
import { recordSource } from './record-source.ts'
import { type OpenSheet, withSheet } from './sheet-source.ts'

export interface Inspected extends ReadRows {
  readonly reading: FileReading
  /** Of a spreadsheet. */
  readonly sheets?: readonly string[]
}

/** The columns of a file with the types of all its values, how it is written, and its first rows. */
export async function inspectFile(
  connection: DuckDBConnection,
  { path, tools }: LinkedFile,
  { reading, rows }: InspectOrder,
): Promise<Inspected> {
  await refuseLying(path, reading)
  await refuseDeepJson(path, reading)
  if (reading.format === 'xlsx')
    return withSheet({ path, tools }, reading, (sheet) => inspectSheet(connection, sheet, { reading, rows }))
  const known = await sourceOf(connection, path, reading)
  const read = await firstRows(connection, `SELECT * FROM ${known.source}`, rows)
  refuseColumns(read.result.columns.length)
  return { ...read, reading: known.reading }
}

async function firstRows(connection: DuckDBConnection, select: string, rows: number): Promise<ReadRows> {
  const result = await connection.run(`${select} LIMIT ${rows}`)
  return readResult(connection, result, { names: null, maxRows: rows, longestCell: 200 })
}

/** A value that does not fit, such as that of a failed formula, is shown as NULL: its row is reported at the load. */
async function inspectSheet(
  connection: DuckDBConnection,
  { found, records }: OpenSheet,
  { reading, rows }: Pick<InspectOrder, 'reading' | 'rows'>,
): Promise<Inspected> {
  const { columns, sheet, sheets, header } = found
  if (columns.length === 0)
    throw refuse(`The sheet ${sheet} is empty: there is nothing to load. Choose another one.`)
  const values = columns.map(
    (column) => `TRY_CAST(${records.value(column)} AS ${column.type}) AS ${quotedIdentifier(column.name)}`,
  )
  const read = await firstRows(connection, `SELECT ${values.join(', ')} FROM ${records.from}`, rows)
  return { ...read, reading: { ...reading, sheet, header }, sheets }
}

async function sourceOf(connection: DuckDBConnection, path: string, reading: FileReading) {
  if (reading.format !== 'csv' && reading.format !== 'tsv')
    return { source: recordSource(path, reading), reading }
  const sniffed = await sniffCsv(connection, path, reading)
  refuseColumns(sniffed.columns.length)
  const source = csvSource(path, sniffed.reading, { columns: sniffed.columns, onBroken: leavingOut })
  return { source, reading: sniffed.reading }
}
