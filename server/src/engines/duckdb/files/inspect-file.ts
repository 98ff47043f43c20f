import { type DuckDBConnection, quotedIdentifier } from '@duckdb/node-api'
import type { BrokenRows, DecimalCommas, FileReading, InspectOrder, SpoiledType } from '../../engine/files.ts'
import { readResult, type ReadRows } from '../rows/result-rows.ts'
import { beginsAsRecord, brokenCsv, brokenLines, withRecordsOnly } from './broken-rows.ts'
import { type ColumnFacts, columnFacts, type TextRecords } from './column-facts.ts'
import { csvSource, leavingOut, type Sniffed, sniffCsv } from './csv-source.ts'
import { refuse, refuseColumns, refuseLying } from './file-head.ts'
import { refuseDeepJson } from './json-depth.ts'
import type { LinkedFile } from './linked-file.ts'
import { rawRecords, recordSource } from './record-source.ts'
import { lineOf } from './judged-csv.ts'
import { type OpenSheet, withSheet } from './sheet-source.ts'
import { type TextSample, withSample } from './text-sample.ts'
import { valueOf, writtenIn } from './written-values.ts'

export interface Inspected extends ReadRows {
  readonly reading: FileReading
  /** Of a spreadsheet. */
  readonly sheets?: readonly string[]
  readonly spoiled?: readonly SpoiledType[]
  readonly decimalCommas?: readonly DecimalCommas[]
  readonly broken?: BrokenRows
  readonly values?: readonly number[]
  readonly sampledBytes?: number | null
}

/** The columns of a file with the types of all values that are read, how it is written, and its first rows. */
export async function inspectFile(
  connection: DuckDBConnection,
  { path, tools, cutAt }: LinkedFile,
  { reading, rows, sampleBytes }: InspectOrder,
): Promise<Inspected> {
  const bytes = cutAt === undefined ? sampleBytes : cutAt
  await refuseLying(path, reading)
  await refuseDeepJson(path, reading)
  const { format, encoding } = reading
  if (format === 'xlsx')
    return withSheet({ path, tools }, reading, (sheet) => inspectSheet(connection, sheet, { reading, rows }))
  if (format === 'csv' || format === 'tsv') {
    const look = (sample: TextSample) => inspectText(connection, sample, { reading, rows })
    const found = await (bytes === null
      ? look({ path, hasQuotes: null })
      : withSample(path, { bytes, encoding }, look))
    return { ...found, sampledBytes: bytes }
  }
  if (format === 'parquet') {
    const read = await firstRows(connection, `SELECT * FROM ${recordSource(path, reading)}`, rows)
    refuseColumns(read.result.columns.length)
    return { ...read, reading }
  }
  return inspectRecords(connection, path, { reading, rows })
}

/** Each value is looked up in the text of its record, which takes long. */
const RECORDS_JUDGED = 200_000

type Looking = Pick<InspectOrder, 'reading' | 'rows'>

/** Records of JSON. Where each line is one, invalid lines do not keep the others from being read. */
async function inspectRecords(
  connection: DuckDBConnection,
  path: string,
  { reading, rows }: Looking,
): Promise<Inspected> {
  const look = async (of: FileReading, from: string): Promise<Inspected> => {
    const read = await firstRows(connection, `SELECT * FROM ${recordSource(from, of)}`, rows)
    const { columns } = read.result
    refuseColumns(columns.length)
    return withFacts(read, {
      reading: of,
      facts: await factsOfRecords(connection, from, { reading: of, columns }),
    })
  }
  if (reading.format === 'json' && !(await beginsAsRecord(path))) return look(reading, path)
  const { total, ...broken } = await brokenLines(connection, path)
  // Of a record that is written over several lines, hardly any line is a record.
  const isByLines = reading.format === 'ndjson' || (total > 1 && broken.count * 2 < total)
  if (!isByLines) return look(reading, path)
  const byLines: FileReading = { ...reading, format: 'ndjson' }
  if (broken.count === 0) return look(byLines, path)
  const found = await withRecordsOnly(connection, path, (records) => look(byLines, records))
  return { ...found, broken }
}

const factsOfRecords = (
  connection: DuckDBConnection,
  path: string,
  { reading, columns }: { reading: FileReading; columns: ReadRows['result']['columns'] },
): Promise<ColumnFacts[]> => {
  const { from, number, value: read } = rawRecords(path, reading)
  const value: TextRecords['value'] = ({ name }) => read({ name, type: 'VARCHAR' })
  const first = `(SELECT json FROM ${from} LIMIT ${RECORDS_JUDGED})`
  return columnFacts(connection, { from: first, number, value, lineOf: (at) => at }, { reading, columns })
}

/** The types that the values have, with the first rows read as these. */
const withFacts = (
  read: ReadRows,
  { reading, facts }: { readonly reading: FileReading; readonly facts: readonly ColumnFacts[] },
): Inspected => ({
  ...read,
  reading,
  values: facts.map(({ values }) => values),
  spoiled: facts.flatMap(({ spoiled }) => spoiled ?? []),
  decimalCommas: facts.flatMap(({ commas }) => commas ?? []),
})

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
  const { from, number, value } = records
  const facts = await columnFacts(
    connection,
    { from, number, value, lineOf: (row) => row },
    { reading, columns },
  )
  return { ...withFacts(read, { reading: { ...reading, sheet, header }, facts }), sheets }
}

const ROW = quotedIdentifier('\u0001row')

async function inspectText(
  connection: DuckDBConnection,
  { path, hasQuotes }: TextSample,
  { reading: asked, rows }: Looking,
): Promise<Inspected> {
  const sniffed = await sniffCsv(connection, path, asked)
  refuseColumns(sniffed.columns.length)
  const reading = withQuotes(sniffed, hasQuotes)
  const { lines, ...broken } = await brokenCsv(connection, path, { reading, columns: sniffed.columns })
  const texts = sniffed.columns.map(({ name }) => ({ name, type: 'VARCHAR' }))
  const source = csvSource(path, reading, { columns: texts, onBroken: leavingOut })
  const records: TextRecords = {
    from: `(SELECT *, system.main.row_number() OVER () AS ${ROW} FROM ${source})`,
    number: ROW,
    value: ({ name }) => quotedIdentifier(name),
    lineOf: (row) => lineOf(row, { reading, unread: lines }),
  }
  const facts = await columnFacts(connection, records, { reading, columns: sniffed.columns })
  const columns = sniffed.columns.map((column, at) => ({ ...column, type: facts[at]?.type ?? column.type }))
  const typed = reading.written
    ? `SELECT ${columns.map((column) => asColumn(column, reading)).join(', ')} FROM ${source}`
    : `SELECT * FROM ${csvSource(path, reading, { columns, onBroken: leavingOut })}`
  const read = await firstRows(connection, typed, rows)
  return { ...withFacts(read, { reading, facts }), broken }
}

const asColumn = ({ name, type }: Sniffed['columns'][number], reading: FileReading): string => {
  const text = quotedIdentifier(name)
  const value =
    type === 'VARCHAR' ? text : valueOf(text, type, { written: writtenIn(reading), isDetected: true })
  return `${value} AS ${text}`
}

/** Where the beginning of a text needs no quotes or no escape, what follows may: it is read as most write it. */
function withQuotes({ reading }: Sniffed, hasQuotes: boolean | null): FileReading {
  const { quote, escape } = reading
  if (hasQuotes === null) return reading
  if (!quote) return hasQuotes ? reading : { ...reading, quote: '"', escape: '"' }
  return escape ? reading : { ...reading, escape: quote }
}
