import { quotedIdentifier, quotedString } from '@duckdb/node-api'
import type { FileColumn, FileReading } from '../../engine/files.ts'
import { valueText } from './json-numbers.ts'

const WHOLE_FILE = -1
/** Of one record of JSON, in bytes. */
export const LARGEST_RECORD = 16 * 1024 * 1024

const jsonOptions = ({ format }: FileReading): string =>
  `format = '${format === 'ndjson' ? 'newline_delimited' : 'auto'}', compression = 'uncompressed', maximum_object_size = ${LARGEST_RECORD}`

/** The records with the columns and types that all of them have together. */
export function recordSource(path: string, reading: FileReading): string {
  const file = quotedString(path)
  return reading.format === 'parquet'
    ? `system.main.read_parquet(${file})`
    : `system.main.read_json(${file}, ${jsonOptions(reading)}, sample_size = ${WHOLE_FILE})`
}

/** Records as they are in the file, each with its number, and how a value of one is had. */
export interface RawRecords {
  readonly from: string
  readonly number: string
  /** True of an invalid record. */
  readonly isBroken: string | null
  value(column: Pick<FileColumn, 'name' | 'type'>): string
  /** True of a value that DuckDB would make an empty one of this type; null: there is none. */
  isOther(value: string, type: string): string | null
}

/** As RFC 6901 writes a key. */
const pointer = (key: string): string => quotedString(`/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)

const NESTED = /^(?:STRUCT|MAP|UNION|JSON|VARIANT)\b|\]$/i

export function rawRecords(path: string, reading: FileReading): RawRecords {
  if (reading.format === 'parquet')
    return {
      from: `system.main.read_parquet(${quotedString(path)}, file_row_number = true)`,
      number: 'file_row_number + 1',
      isBroken: null,
      value: ({ name }) => quotedIdentifier(name),
      isOther: () => null,
    }
  const goesOn = reading.format === 'ndjson' ? ', ignore_errors = true' : ''
  return {
    from: `system.main.read_json_objects(${quotedString(path)}, ${jsonOptions(reading)}${goesOn})`,
    number: 'row_number() OVER ()',
    isBroken: `json IS NULL OR system.main.json_type(json) <> 'OBJECT'`,
    value: ({ name, type }) => {
      if (!NESTED.test(type)) return valueText('json', pointer(name), type)
      const value = `system.main.json_extract(json, ${pointer(name)})`
      return `CASE WHEN system.main.json_type(${value}) <> 'NULL' THEN ${value} END`
    },
    isOther: (value, type) =>
      /^STRUCT|^MAP/i.test(type) && !type.endsWith(']')
        ? `system.main.json_type(${value}) <> 'OBJECT'`
        : null,
  }
}

export interface SortedRecords {
  /** Selects the values of the records that can be read, in the order of the columns. */
  readonly accepted: string
  /** Selects number, column, value and type of those that cannot, as texts; of what is no record at all the number. */
  readonly rejected: (limit: number) => string
  /** Selects, for each column of which values that do not fit become NULL, their number, the first record and its value. */
  readonly nulled: string | null
}

/** The records of a file, those that fit the types apart from those that do not. */
export function sortedRecords(
  raw: RawRecords,
  columns: readonly Pick<FileColumn, 'name' | 'type' | 'misfits'>[],
): SortedRecords {
  const broken = raw.isBroken ?? 'false'
  const values = columns.map((column, at) => `${raw.value(column)} AS r${at}`)
  const casts = columns.map(({ type }, at) => `TRY_CAST(r${at} AS ${type}) AS v${at}`)
  const misfit = (at: number): string => {
    const isOther = raw.isOther(`r${at}`, columns[at]?.type ?? '')
    return `(r${at} IS NOT NULL AND (v${at} IS NULL${isOther ? ` OR ${isOther}` : ''}))`
  }
  const places = columns.map((_, at) => at)
  const nulled = places.filter((at) => columns[at]?.misfits === 'null')
  const rejecting = places.filter((at) => !nulled.includes(at))
  const misfits = rejecting.map(misfit).join(' OR ') || 'false'
  const value = (at: number): string =>
    nulled.includes(at) ? `CASE WHEN NOT ${misfit(at)} THEN v${at} END` : `v${at}`
  const typed = (extra: string): string =>
    `(SELECT *, ${casts.join(', ')} FROM (SELECT ${[...values, extra].filter(Boolean).join(', ')} FROM ${raw.from}))`
  const pick = (of: (name: string, at: number) => string): string =>
    rejecting.length === 0
      ? 'NULL'
      : `CASE ${rejecting.map((at) => `WHEN ${misfit(at)} THEN ${of(columns[at]?.name ?? '', at)}`).join(' ')} END`
  return {
    accepted: `SELECT ${places.map(value).join(', ')}
      FROM ${typed(`(${broken}) AS is_broken`)} WHERE NOT is_broken AND NOT (${misfits})`,
    rejected: (limit) => `SELECT number::VARCHAR, ${pick((name) => quotedString(name))},
        ${pick((_, at) => `left(r${at}::VARCHAR, 200)`)}, ${pick((_, at) => quotedString(columns[at]?.type ?? ''))}
      FROM ${typed(`(${broken}) AS is_broken, ${raw.number} AS number`)}
      WHERE is_broken OR ${misfits} ORDER BY number LIMIT ${limit}`,
    nulled:
      nulled.length === 0
        ? null
        : `SELECT ${nulled.flatMap(factsOf(misfit)).join(', ')}
      FROM ${typed(`(${broken}) AS is_broken, ${raw.number} AS number`)} WHERE NOT is_broken AND NOT (${misfits})`,
  }
}

const factsOf = (misfit: (at: number) => string) => (at: number) => [
  `system.main.count_if(${misfit(at)})::VARCHAR`,
  `system.main.min(CASE WHEN ${misfit(at)} THEN number END)::VARCHAR`,
  `system.main.left(system.main.arg_min(r${at}::VARCHAR, number) FILTER (${misfit(at)}), 200)`,
]
