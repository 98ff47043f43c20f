import { type DuckDBConnection, quotedIdentifier } from '@duckdb/node-api'
import type { FileReading, InspectOrder, SpoiledType } from '../../engine/files.ts'
import { readResult, type ReadRows } from '../rows/result-rows.ts'
import { csvSource, leavingOut, type Sniffed, sniffCsv } from './csv-source.ts'
import { refuse, refuseColumns, refuseLying } from './file-head.ts'
import { refuseDeepJson } from './json-depth.ts'
import type { LinkedFile } from './linked-file.ts'
import { recordSource } from './record-source.ts'
import { type OpenSheet, withSheet } from './sheet-source.ts'
import { spoiledTypes } from './spoiled-types.ts'
import { type TextSample, withSample } from './text-sample.ts'

export interface Inspected extends ReadRows {
  readonly reading: FileReading
  /** Of a spreadsheet. */
  readonly sheets?: readonly string[]
  /** Of a text. */
  readonly spoiled?: readonly SpoiledType[]
}

/** The columns of a file with the types of all values that are read, how it is written, and its first rows. */
export async function inspectFile(
  connection: DuckDBConnection,
  { path, tools }: LinkedFile,
  { reading, rows, sampleBytes: bytes }: InspectOrder,
): Promise<Inspected> {
  await refuseLying(path, reading)
  await refuseDeepJson(path, reading)
  const { format, encoding } = reading
  if (format === 'xlsx')
    return withSheet({ path, tools }, reading, (sheet) => inspectSheet(connection, sheet, { reading, rows }))
  if (format === 'csv' || format === 'tsv') {
    const look = (sample: TextSample) => inspectText(connection, sample, { reading, rows })
    return bytes === null ? look({ path, hasQuotes: null }) : withSample(path, { bytes, encoding }, look)
  }
  const read = await firstRows(connection, `SELECT * FROM ${recordSource(path, reading)}`, rows)
  refuseColumns(read.result.columns.length)
  return { ...read, reading }
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

async function inspectText(
  connection: DuckDBConnection,
  { path, hasQuotes }: TextSample,
  { reading: asked, rows }: Pick<InspectOrder, 'reading' | 'rows'>,
): Promise<Inspected> {
  const sniffed = await sniffCsv(connection, path, asked)
  const { columns } = sniffed
  refuseColumns(columns.length)
  const reading = withQuotes(sniffed, hasQuotes)
  const source = csvSource(path, reading, { columns, onBroken: leavingOut })
  const read = await firstRows(connection, `SELECT * FROM ${source}`, rows)
  return { ...read, reading, spoiled: await spoiledTypes(connection, path, { reading, columns }) }
}

/** Where the beginning of a text needs no quotes or no escape, what follows may: it is read as most write it. */
function withQuotes({ reading }: Sniffed, hasQuotes: boolean | null): FileReading {
  const { quote, escape } = reading
  if (hasQuotes === null) return reading
  if (!quote) return hasQuotes ? reading : { ...reading, quote: '"', escape: '"' }
  return escape ? reading : { ...reading, escape: quote }
}
