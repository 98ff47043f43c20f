import { randomUUID } from 'node:crypto'
import { type DuckDBConnection, quotedIdentifier, quotedString } from '@duckdb/node-api'
import type { FileColumn, FileReading } from '../../engine/files.ts'
import { textRows } from './text-rows.ts'

/** Of a file of any size. */
const WHOLE_FILE = -1
const LONGEST_LINE = 2_000_000

/** What DuckDB calls nothing. */
const NOTHING = '(empty)'

const option = (name: string, value: string | number | boolean): string =>
  `${name} = ${typeof value === 'string' ? quotedString(value) : String(value)}`

/** What is known of how the text is written. */
function writtenAs(reading: FileReading): string[] {
  const { format, encoding, delimiter, quote, escape, header, skip } = reading
  const given = {
    delim: delimiter ?? (format === 'tsv' ? '\t' : null),
    quote,
    escape,
    header,
    skip,
  }
  return [
    option('compression', 'none'),
    // A line that begins with # is data as any other.
    option('comment', ''),
    option('encoding', encoding),
    option('max_line_size', LONGEST_LINE),
    ...Object.entries(given).flatMap(([name, value]) => (value === null ? [] : [option(name, value)])),
  ]
}

const unlessNothing = (found: string | null | undefined): string => (found && found !== NOTHING ? found : '')

export interface Sniffed {
  readonly reading: FileReading
  readonly columns: readonly Pick<FileColumn, 'name' | 'type'>[]
}

/** How the text is written, and the types that all of its values have. Of a large one, its beginning is looked at. */
export async function sniffCsv(
  connection: DuckDBConnection,
  path: string,
  reading: FileReading,
): Promise<Sniffed> {
  const options = [...writtenAs(reading), option('sample_size', WHOLE_FILE), option('ignore_errors', true)]
  const [row = []] = await textRows(
    connection,
    `SELECT Delimiter, Quote, Escape, NewLineDelimiter, SkipRows::VARCHAR, HasHeader::VARCHAR, DateFormat,
       TimestampFormat, to_json(Columns)::VARCHAR
     FROM system.main.sniff_csv(${[quotedString(path), ...options].join(', ')})`,
  )
  const [delimiter, quote, escape, newLine, skip, header, dateFormat, timestampFormat, columns] = row
  return {
    reading: {
      ...reading,
      delimiter: unlessNothing(delimiter),
      quote: unlessNothing(quote),
      escape: unlessNothing(escape),
      newLine: newLine ?? null,
      skip: Number(skip ?? 0),
      header: header === 'true',
      dateFormat: dateFormat ?? null,
      timestampFormat: timestampFormat ?? null,
    },
    columns: JSON.parse(columns ?? '[]') as Sniffed['columns'],
  }
}

export interface CsvTyping {
  readonly columns: readonly Pick<FileColumn, 'name' | 'type'>[]
  /** What happens with rows that cannot be read. */
  readonly onBroken: readonly string[]
}

/** A table of DuckDB's that is this file. */
export function csvSource(path: string, reading: FileReading, { columns, onBroken }: CsvTyping): string {
  const types = columns.map(({ name, type }) => `${quotedString(name)}: ${quotedString(type)}`)
  const { dateFormat, timestampFormat, newLine } = reading
  const options = [
    ...writtenAs(reading),
    option('auto_detect', false),
    `columns = {${types.join(', ')}}`,
    ...(newLine && newLine !== NOTHING ? [option('new_line', newLine)] : []),
    ...(dateFormat ? [option('dateformat', dateFormat)] : []),
    ...(timestampFormat ? [option('timestampformat', timestampFormat)] : []),
    ...onBroken,
  ]
  return `system.main.read_csv(${[quotedString(path), ...options].join(', ')})`
}

/** Two tables of the session, in which DuckDB notes what it left out. */
export interface Rejects {
  readonly errors: string
  readonly scans: string
}

export const newRejects = (): Rejects => {
  const id = randomUUID().replaceAll('-', '')
  return { errors: `rejects_${id}`, scans: `scans_${id}` }
}

export const noting = ({ errors, scans }: Rejects, limit: number): string[] => [
  option('store_rejects', true),
  option('rejects_table', errors),
  option('rejects_scan', scans),
  option('rejects_limit', limit),
]

export const leavingOut = [option('ignore_errors', true)]

export const tableOf = (name: string): string => `temp.main.${quotedIdentifier(name)}`
