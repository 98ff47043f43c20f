import type { DuckDBConnection } from '@duckdb/node-api'
import type { FileReading, InspectOrder } from '../../files.ts'
import { readResult, type ReadRows } from '../rows/result-rows.ts'
import { csvSource, leavingOut, sniffCsv } from './csv-source.ts'
import { refuseColumns, refuseLying } from './file-head.ts'
import { recordSource } from './record-source.ts'

export interface Inspected extends ReadRows {
  readonly reading: FileReading
}

/** The columns of a file with the types of all its values, how it is written, and its first rows. */
export async function inspectFile(
  connection: DuckDBConnection,
  path: string,
  { reading, rows }: InspectOrder,
): Promise<Inspected> {
  await refuseLying(path, reading)
  const known = await sourceOf(connection, path, reading)
  const result = await connection.run(`SELECT * FROM ${known.source} LIMIT ${rows}`)
  const read = await readResult(connection, result, { names: null, maxRows: rows, longestCell: 200 })
  refuseColumns(read.result.columns.length)
  return { ...read, reading: known.reading }
}

async function sourceOf(connection: DuckDBConnection, path: string, reading: FileReading) {
  if (reading.format !== 'csv' && reading.format !== 'tsv')
    return { source: recordSource(path, reading), reading }
  const sniffed = await sniffCsv(connection, path, reading)
  refuseColumns(sniffed.columns.length)
  const source = csvSource(path, sniffed.reading, { columns: sniffed.columns, onBroken: leavingOut })
  return { source, reading: sniffed.reading }
}
