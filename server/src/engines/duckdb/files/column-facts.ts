import type { DuckDBConnection } from '@duckdb/node-api'
import type {
  DecimalCommas,
  FileColumn,
  FileReading,
  Rejection,
  SpoiledType,
  WrittenValues,
} from '../../engine/files.ts'
import {
  COMMA_COUNTS,
  commaCounts,
  type CommaNumbers,
  commaNumbers,
  hasDecimalComma,
} from './decimal-commas.ts'
import type { RawRecords } from './record-source.ts'
import { textRows } from './text-rows.ts'
import { valueOf, writtenIn } from './written-values.ts'

type Column = Pick<FileColumn, 'name' | 'type'>

/** The values of a file as texts, each record with its number. */
export interface TextRecords extends Pick<RawRecords, 'from' | 'number'> {
  value(column: Column): string
  /** Where a record is in the file. */
  lineOf(number: number): number
}

export interface ColumnFacts {
  readonly type: string
  /** Apart from NULL. */
  readonly values: number
  /** Of a text that would have another type but for a few values. */
  readonly spoiled: SpoiledType | null
  /** Of a text, where nobody has said how numbers are written. */
  readonly commas: DecimalCommas | null
}

interface Candidate {
  readonly type: string
  /** Of days, where it is not the one of the reading. */
  readonly format: string | null
  readonly written: WrittenValues
}

const TEXT = 'VARCHAR'
/** What JSON has where values are of several kinds. */
const MIXED = 'JSON'
/** Where somebody has said how days are written, no other way is looked for. Of two that fit, the first is taken. */
const USUAL_DAYS = ['%d/%m/%Y', '%m/%d/%Y', '%d.%m.%Y']
/** Looked at in one pass. */
const COLUMNS_AT_ONCE = 100
const MOST_COLUMNS = 500
/** Of a hundred values, so many may be mistakes; with more the column is a text. */
const MOST_MISFITS = 0.1
const ROWS_NAMED = 3
const LONGEST_TEXT = 200

/** In the order in which they are tried. */
function candidatesFor(reading: FileReading): Candidate[] {
  const written = writtenIn(reading)
  const plain = ['BIGINT', 'DOUBLE', 'DATE', 'TIMESTAMP', 'BOOLEAN'].map((type): Candidate => ({
    type,
    format: null,
    written,
  }))
  if (written.date !== null) return plain
  const usual = USUAL_DAYS.map((date): Candidate => ({
    type: 'DATE',
    format: date,
    written: { ...written, date },
  }))
  return [...plain, ...usual]
}

/** DuckDB takes more words for truth values than people who write data. */
const readAs = (text: string, { type, written }: Candidate): string =>
  type === 'BOOLEAN'
    ? `CASE WHEN system.main.lower(system.main.trim(${text})) IN ('true', 'false') THEN true END`
    : valueOf(text, type, { written, isDetected: true })

/** Types that depend on how values are written. */
const DEPENDENT = new Set([TEXT, 'BIGINT', 'DOUBLE', 'DATE', 'TIMESTAMP'])
/** Of which can be said how values are written. */
const WITH_WRITTEN = new Set<FileReading['format']>(['csv', 'tsv'])
const SPOILABLE = new Set([TEXT, MIXED])

interface Facts {
  readonly reading: FileReading
  readonly columns: readonly Column[]
}

/** What is in the columns of a file: how many values, of which type, and what keeps a text from having another one. */
export async function columnFacts(
  connection: DuckDBConnection,
  records: TextRecords,
  { reading, columns }: Facts,
): Promise<ColumnFacts[]> {
  const facts: ColumnFacts[] = []
  for (let from = 0; from < Math.min(columns.length, MOST_COLUMNS); from += COLUMNS_AT_ONCE) {
    const some = columns.slice(from, from + COLUMNS_AT_ONCE)
    facts.push(...(await factsOf(connection, records, { reading, columns: some })))
  }
  return facts
}

async function factsOf(
  connection: DuckDBConnection,
  records: TextRecords,
  { reading, columns }: Facts,
): Promise<ColumnFacts[]> {
  const candidates = candidatesFor(reading)
  const isJudged = ({ type }: Column) => (reading.written ? DEPENDENT : SPOILABLE).has(type)
  const mayHaveCommas = ({ type }: Column) =>
    type === TEXT && !reading.written && WITH_WRITTEN.has(reading.format)
  const counted = columns.flatMap((column, at) => [
    `system.main.count(c${at})::VARCHAR`,
    ...(isJudged(column)
      ? candidates.map((one) => `system.main.count(${readAs(`c${at}`, one)})::VARCHAR`)
      : []),
    ...(mayHaveCommas(column) ? commaCounts(`c${at}`) : []),
  ])
  const values = columns.map((column, at) => `${records.value(column)} AS c${at}`)
  const [row = []] = await textRows(
    connection,
    `SELECT ${counted.join(', ')} FROM (SELECT ${values.join(', ')} FROM ${records.from})`,
  )
  const counts = row.map(Number)
  const facts: ColumnFacts[] = []
  for (const column of columns) {
    const [values = 0] = counts.splice(0, 1)
    const fitting = isJudged(column) ? counts.splice(0, candidates.length) : []
    const commas = mayHaveCommas(column) ? commaNumbers(counts.splice(0, COMMA_COUNTS), values) : null
    const fits = reading.written && values > 0 ? fitting.indexOf(values) : -1
    const type = fits >= 0 ? (candidates[fits]?.type ?? TEXT) : typeOf(column, reading, values)
    const nearly = SPOILABLE.has(type) ? candidates[nearest(fitting, values)] : undefined
    const spoiled = nearly ? await spoiledBy(connection, records, { column, values, nearly }) : null
    const shown = commas ? await commasIn(connection, records, { column, values, commas }) : null
    facts.push({ type, values, spoiled, commas: shown })
  }
  return facts
}

/** Where no type fits all values that are written as somebody says, it is a text. */
const typeOf = ({ type }: Column, { written }: FileReading, values: number): string =>
  written && values > 0 && DEPENDENT.has(type) ? TEXT : type

/** The place of the type that all but a few values have. */
const nearest = (fitting: readonly number[], values: number): number =>
  fitting.findIndex((count) => count < values && values - count <= values * MOST_MISFITS)

async function spoiledBy(
  connection: DuckDBConnection,
  records: TextRecords,
  { column, values, nearly }: { column: Column; values: number; nearly: Candidate },
): Promise<SpoiledType> {
  const { type, format } = nearly
  const isMisfit = `c IS NOT NULL AND (${readAs('c', nearly)}) IS NULL`
  const reasonOf = (value: string) => `${value} is not of the type ${type}.`
  const { rows, count } = await firstWhere(connection, records, { column, condition: isMisfit, reasonOf })
  return { column: column.name, type, format, values, misfits: count, rows }
}

const commaReason = (value: string): string => `${value} has a decimal comma.`

async function commasIn(
  connection: DuckDBConnection,
  records: TextRecords,
  { column, values, commas }: { column: Column; values: number; commas: CommaNumbers },
): Promise<DecimalCommas> {
  const isComma = { column, condition: hasDecimalComma('c'), reasonOf: commaReason }
  const { rows } = await firstWhere(connection, records, isComma)
  return { column: column.name, values, ...commas, rows }
}

interface SoughtValues {
  readonly column: Column
  /** As SQL, of the text `c`. */
  readonly condition: string
  readonly reasonOf: (value: string) => string
}

/** The first rows whose value is such, and how many there are. */
async function firstWhere(
  connection: DuckDBConnection,
  records: TextRecords,
  { column, condition, reasonOf }: SoughtValues,
): Promise<{ rows: Rejection[]; count: number }> {
  const found = await textRows(
    connection,
    `SELECT number::VARCHAR, system.main.left(c, ${LONGEST_TEXT}), (system.main.count(*) OVER ())::VARCHAR
     FROM (SELECT ${records.value(column)} AS c, ${records.number} AS number FROM ${records.from})
     WHERE ${condition} ORDER BY number LIMIT ${ROWS_NAMED}`,
  )
  const rows = found.map(([number, value]) => ({
    line: records.lineOf(Number(number)),
    column: column.name,
    reason: reasonOf(value ?? ''),
    text: value ?? null,
  }))
  return { rows, count: Number(found[0]?.[2] ?? 0) }
}
