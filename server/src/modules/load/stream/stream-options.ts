import { readColumnMapping } from '@boathouse/sql'
import type { StreamColumn, StreamPart } from '../../../engines/engine/files.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { csvReading, readSeparator, RECORD_READING } from './stream-format.ts'

const COMPRESSIONS = ['gzip', 'deflate', 'zstd', 'lz4', 'bzip2'] as const
export type Compression = (typeof COMPRESSIONS)[number]

/** How a load is to be done, as its sender says; where it goes is not among it. */
export interface StreamOptions {
  /** Null: the service makes one. */
  readonly label: string | null
  readonly part: Omit<StreamPart, 'file' | 'table' | 'wholeRows'>
  /** What ends a row, where that is no line break. */
  readonly rowDelimiter: string | null
  readonly compression: Compression | null
  /** It is read as lines of JSON, which its rows become while they arrive. */
  readonly isArrow: boolean
  readonly timeoutMs: number
  /** By its name. */
  readonly warehouse: string | null
  /** Several small loads may become one transaction; null: as the service sees fit. */
  readonly merges: boolean | null
  /** Transactions of merged loads begin this far apart. */
  readonly mergeMs: number
}

export const isTextual = ({ part }: StreamOptions): boolean => part.reading.format !== 'parquet'

export type StreamHeaders = Readonly<Record<string, string | undefined>>

/** In the error log of a load whose sender does not say how many. */
const REPORTED = 100
export const MOST_REPORTED = 10_000
const LONGEST_LABEL = 128
const LONGEST_HEADER = 8 * 1024

const DEFAULT_TIMEOUT_S = 600
const LONGEST_TIMEOUT_S = 259_200

/** A load waits at most so long for others, and twice as long for those before it. */
const MERGE_INTERVAL = { least: 1, most: 86_400_000, fallback: 100 }
const LONGEST_MERGE_MS = 1_000

const bad = (header: string, what: string) => new AppError('BadInput', `${header}: ${what}`)

function flag(headers: StreamHeaders, name: string): boolean {
  const value = headers[name]?.trim().toLowerCase()
  if (value === undefined || value === '' || value === 'false') return false
  if (value === 'true') return true
  throw bad(name, 'Write true or false.')
}

export interface Bounds {
  readonly least: number
  readonly most: number
  readonly fallback: number
  readonly isWhole?: boolean
}

export function readNumber(
  headers: StreamHeaders,
  name: string,
  { least, most, fallback, isWhole = true }: Bounds,
): number {
  const value = headers[name]?.trim()
  if (value === undefined || value === '') return fallback
  const read = Number(value)
  const isGood =
    Number.isFinite(read) && read >= least && read <= most && (!isWhole || Number.isInteger(read))
  if (!isGood) throw bad(name, `Write a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}.`)
  return read
}

export function requireLabel(label: string): string {
  if (!new RegExp(String.raw`^[-\w]{1,${LONGEST_LABEL}}$`).test(label))
    throw bad('label', `A label has letters, digits, - and _, at most ${LONGEST_LABEL} of them.`)
  return label
}

function compressionOf(headers: StreamHeaders): Compression | null {
  const given = (headers['compression'] || headers['content-encoding'] || '').trim().toLowerCase()
  if (given === '' || given === 'identity' || given === 'none') return null
  const name = given === 'x-gzip' ? 'gzip' : given.replace(/_frame$/, '').replace(/^bz2$/, 'bzip2')
  const found = COMPRESSIONS.find((one) => one === name)
  if (!found) throw bad('compression', `Use one of ${COMPRESSIONS.join(', ')}.`)
  return found
}

function jsonPaths(headers: StreamHeaders): readonly string[] | null {
  const text = headers['jsonpaths']?.trim()
  if (!text) return null
  let paths: unknown
  try {
    paths = JSON.parse(text)
  } catch {
    throw bad('jsonpaths', 'Write a JSON list of paths, such as ["$.id", "$.name"].')
  }
  if (!Array.isArray(paths) || paths.length === 0) throw bad('jsonpaths', 'Write a JSON list of paths.')
  return paths.map((path) => requirePath('jsonpaths', path))
}

const PATH = /^\$(?:\.[^.[\]*"'\s]+|\."[^"]+"|\[\d+\])*$/

function requirePath(header: string, path: unknown): string {
  if (typeof path !== 'string' || !PATH.test(path))
    throw bad(header, `${String(path).slice(0, 100)} is not a path such as $.a.b[0].`)
  return path
}

const rootOf = (headers: StreamHeaders): string | null => {
  const root = headers['json_root']?.trim()
  return root ? requirePath('json_root', root) : null
}

function columnsOf(headers: StreamHeaders): readonly StreamColumn[] | null {
  const text = headers['columns']?.trim()
  if (!text) return null
  const columns = readColumnMapping(text)
  if (!columns) throw bad('columns', 'Write names and expressions, such as a, b, c = a + 1.')
  const names = columns.map(({ name }) => name.toLowerCase())
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw bad('columns', `${twice} is named twice.`)
  return columns
}

/** Headers that would change what a load does, and that this service cannot honour. */
const REFUSED: readonly (readonly [header: string, why: string])[] = [
  ['partitions', 'Tables have no partitions here. Leave it out.'],
  ['temporary_partitions', 'Tables have no partitions here. Leave it out.'],
  ['merge_condition', 'Rows are inserted, never merged with those of the table. Leave it out.'],
  ['partial_update_mode', 'Rows are inserted as a whole. Leave it out.'],
]

function refuseUnknown(headers: StreamHeaders): void {
  if (flag(headers, 'partial_update'))
    throw bad(
      'partial_update',
      'Rows are inserted as a whole. To change some columns, load into a table and UPDATE from it.',
    )
  for (const [header, why] of REFUSED) if (headers[header]?.trim()) throw bad(header, why)
  if (flag(headers, 'merge_commit_async'))
    throw bad('merge_commit_async', 'Every load is acknowledged when its rows are stored. Leave it out.')
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && value.length > LONGEST_HEADER)
      throw bad(name, `It has ${value.length} characters; the maximum is ${LONGEST_HEADER}.`)
}

/** As a time zone that the platform knows. */
function timeZoneOf(headers: StreamHeaders): string | null {
  const zone = headers['timezone']?.trim()
  if (!zone) return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    throw bad('timezone', `There is no time zone ${zone.slice(0, 100)}.`)
  }
}

/** What Arrow's rows become has nothing to look for: headers for JSON mean nothing to it, as to Parquet. */
const PLAIN_LINES = { paths: null, root: null, stripsArray: false }

/** Reads the headers of a stream load. What is not understood is refused: ignored, it would load something else. */
export function readStreamOptions(headers: StreamHeaders): StreamOptions {
  refuseUnknown(headers)
  const format = (headers['format']?.trim() || 'csv').toLowerCase()
  const label = headers['label']?.trim()
  const paths = jsonPaths(headers)
  const columns = columnsOf(headers)
  const named = columns?.filter(({ expression }) => expression === null).length
  if (paths && named !== undefined && named !== paths.length)
    throw bad('jsonpaths', `There are ${paths.length} paths and ${named} columns for them.`)
  const isArrow = format === 'arrow'
  if (!['csv', 'json', 'parquet', 'arrow'].includes(format))
    throw bad('format', 'Use csv, json, parquet or arrow.')
  const delimiter = headers['row_delimiter'] ? readSeparator('row_delimiter', headers['row_delimiter']) : '\n'
  const reading =
    format === 'csv' ? csvReading(headers, bad) : RECORD_READING[format === 'parquet' ? format : 'json']
  if (reading.delimiter === delimiter) throw bad('column_separator', 'It is the same as row_delimiter.')
  const reported = readNumber(headers, 'log_rejected_record_num', {
    least: -1,
    most: MOST_REPORTED,
    fallback: REPORTED,
  })
  return {
    label: label ? requireLabel(label) : null,
    part: {
      reading,
      columns,
      json: isArrow
        ? PLAIN_LINES
        : { paths, root: rootOf(headers), stripsArray: flag(headers, 'strip_outer_array') },
      trims: flag(headers, 'trim_space'),
      where: headers['where']?.trim() || null,
      mostFiltered: readNumber(headers, 'max_filter_ratio', {
        least: 0,
        most: 1,
        fallback: 0,
        isWhole: false,
      }),
      isStrict: flag(headers, 'strict_mode'),
      timeZone: timeZoneOf(headers),
      reported: reported === -1 ? MOST_REPORTED : reported,
    },
    rowDelimiter: format === 'csv' && !['\n', '\r\n', '\r'].includes(delimiter) ? delimiter : null,
    compression: compressionOf(headers),
    isArrow,
    timeoutMs:
      readNumber(headers, 'timeout', { least: 1, most: LONGEST_TIMEOUT_S, fallback: DEFAULT_TIMEOUT_S }) *
      1_000,
    warehouse: headers['warehouse']?.trim() || null,
    merges: headers['enable_merge_commit'] === undefined ? null : flag(headers, 'enable_merge_commit'),
    mergeMs: Math.min(readNumber(headers, 'merge_commit_interval_ms', MERGE_INTERVAL), LONGEST_MERGE_MS),
  }
}
