import { open } from 'node:fs/promises'
import { quotedIdentifier, quotedString } from '@duckdb/node-api'
import type { FileReading, StreamPart } from '../../../engine/files.ts'
import { csvSource } from '../csv-source.ts'
import { isUnsure, readAs } from '../json-numbers.ts'
import type { SourceColumn } from './column-mapping.ts'
import { jsonOptions, rawRecords } from './json-records.ts'
import { type JsonLayout, NO_FAULTS, NUMBERED, type OpenedPart, rawName } from './raw-rows.ts'

const HEAD_BYTES = 256 * 1024

/** A list, a record on each line, or records over several lines. What it is not is found out when it is read. */
export async function layoutOf(path: string, { reading }: Pick<StreamPart, 'reading'>): Promise<JsonLayout> {
  if (reading.format !== 'json') return 'newline_delimited'
  const file = await open(path)
  try {
    const buffer = Buffer.alloc(HEAD_BYTES)
    const { bytesRead } = await file.read({ buffer, position: 0 })
    const head = buffer.subarray(0, bytesRead).toString('latin1').trimStart()
    if (head.startsWith('[')) return 'array'
    const end = head.indexOf('\n')
    const line = end < 0 ? null : head.slice(0, end).trim()
    return line === null || line.endsWith('}') ? 'newline_delimited' : 'unstructured'
  } finally {
    await file.close()
  }
}

/** Of a CSV text, what a program writes where there is no value. */
const NULL_TEXT = '\\N'
/** No text has one of them alone, unless it is what is between its values. */
const NO_TEXT = ['\u0001', '\u0002', '\u0003', '\u0004']

const marksOf = ({ delimiter, quote, escape }: FileReading): string =>
  `${delimiter ?? ''}${quote ?? ''}${escape ?? ''}`

/** DuckDB refuses a text for NULL that has a character of those around values. */
const isNullRead = (reading: FileReading): boolean =>
  NULL_TEXT.split('').every((character) => !marksOf(reading).includes(character))

const nullOption = (reading: FileReading): string => {
  const unused = NO_TEXT.find((character) => !marksOf(reading).includes(character)) ?? ''
  return `nullstr = ${quotedString(isNullRead(reading) ? NULL_TEXT : unused)}`
}

/** A text of a CSV body: NULL where DuckDB could not be asked to read it so. */
function csvText(part: StreamPart, name: string): string {
  const text = isNullRead(part.reading)
    ? quotedIdentifier(name)
    : `nullif(${quotedIdentifier(name)}, ${quotedString(NULL_TEXT)})`
  return part.trims ? `system.main.trim(${text})` : text
}

const isText = (type: string): boolean => /^(?:VARCHAR|CHAR|TEXT|STRING)\b/i.test(type)

/** True of what is larger than the type can hold, and would be infinite; null: the type holds no such numbers. */
export const isOverflow = (value: string, type: string): string | null =>
  /^(?:FLOAT|DOUBLE|REAL)\b/i.test(type) ? `system.main.isinf(${value})` : null

/** True of a text with a character that no client and no statement can hold; null: the type holds no texts. */
export const hasNul = (value: string, type: string): string | null =>
  isText(type) ? `system.main.contains(${value}, system.main.chr(0))` : null

const unless = (isBad: string | null, value: string, words: string): string =>
  isBad === null
    ? value
    : `CASE WHEN ${isBad} THEN system.main.error(${quotedString(words)}) ELSE ${value} END`

/** Fails on a number that its type cannot hold. */
const bounded = (value: string, { type, name }: SourceColumn): string =>
  unless(isOverflow(value, type), value, `A value of ${name} is out of range.`)

/** A value that is to be stored; it fails on a text with NUL. */
export function storable({ name, type }: SourceColumn): string {
  const value = quotedIdentifier(name)
  return unless(hasNul(value, type), value, `A value of ${name} has a NUL character.`)
}

/** Fails on a number of JSON whose digits may not be those that are written. */
const sure = (value: string, { type, name }: SourceColumn): string =>
  unless(isUnsure(value, type), value, `A number of ${name} is longer than it can be read at once.`)

const listed = (columns: readonly SourceColumn[]): string =>
  columns.map(({ name, type }) => `${quotedString(name)}: ${quotedString(readAs(type))}`).join(', ')

/** Whether all values can be read as what they are to be, in one go. */
export const isReadAtOnce = ({ json }: StreamPart): boolean => json.paths === null && json.root === null

const textIn = (part: StreamPart, name: string): string =>
  part.reading.format === 'csv'
    ? csvText(part, name)
    : part.trims
      ? `system.main.trim(${quotedIdentifier(name)})`
      : quotedIdentifier(name)

/** Of a record that may be none, or of which no key is that of a column. */
const isNothing = (sources: readonly SourceColumn[]): string =>
  sources.map(({ name }) => `${quotedIdentifier(name)} IS NULL`).join(' AND ')

function castTo(source: SourceColumn, read: string, format: FileReading['format']): string {
  if (format === 'parquet') return `CAST(${quotedIdentifier(source.name)} AS ${source.type})`
  if (format === 'csv') return bounded(read, source)
  const value = bounded(sure(read, source), source)
  return readAs(source.type) === source.type ? value : `CAST(${value} AS ${source.type})`
}

/** Selects the sources under their names, with their types. It fails, or notes a reject, when one does not fit. */
export function typedSource(
  opened: OpenedPart,
  sources: readonly SourceColumn[],
  noting: readonly string[],
): string {
  const { path, part } = opened
  const { format } = part.reading
  const values = sources.map((source) => {
    const { name, type } = source
    const read = isText(type) ? textIn(part, name) : quotedIdentifier(name)
    return `${castTo(source, read, format)} AS ${quotedIdentifier(name)}`
  })
  const from =
    format === 'csv'
      ? csvSource(path, part.reading, { columns: sources, onBroken: [nullOption(part.reading), ...noting] })
      : format === 'parquet'
        ? `system.main.read_parquet(${quotedString(path)})`
        : `system.main.read_json(${quotedString(path)}, columns = {${listed(sources)}}, ${jsonOptions(opened)})
           WHERE ${unless(isNothing(sources), 'true', 'A record has no value.')}`
  return `SELECT ${values.join(', ')} FROM ${from}`
}

const TEXT = 'VARCHAR'

/** Selects the sources as texts, whether they fit or not, and whether the record can be read at all. */
export function rawSource(
  opened: OpenedPart,
  sources: readonly SourceColumn[],
  csvErrors: readonly string[],
): string {
  const { path, part } = opened
  if (part.reading.format === 'json') return rawRecords(opened, sources)
  const isCsv = part.reading.format === 'csv'
  const values = sources.map(({ name }, at) => {
    const value = isCsv ? csvText(part, name) : quotedIdentifier(name)
    return `${value} AS ${rawName(at)}`
  })
  const from = isCsv
    ? csvSource(path, part.reading, {
        columns: sources.map(({ name }) => ({ name, type: TEXT })),
        onBroken: [nullOption(part.reading), ...csvErrors],
      })
    : `system.main.read_parquet(${quotedString(path)})`
  return `SELECT ${values.join(', ')}, ${NO_FAULTS}, ${NUMBERED} FROM ${from}`
}
