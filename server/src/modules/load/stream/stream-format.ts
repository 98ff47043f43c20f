import type { FileReading } from '../../../engines/engine/files.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { StreamHeaders } from './stream-options.ts'

type Bad = (header: string, what: string) => AppError

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\\': '\\' }

const MOST_SEPARATOR_BYTES = 4
const MOST_DELIMITER_BYTES = 50

/** A header holds no control characters, so they are written as `\t`, `\x01` or `\\x01`. */
export function readSeparator(header: string, written: string): string {
  const read = written.replaceAll(
    /\\{1,2}x([0-9a-f]{2})|\\([nrt\\])/gi,
    (_, code?: string, letter?: string) =>
      code === undefined
        ? (ESCAPES[(letter ?? '').toLowerCase()] ?? '')
        : String.fromCharCode(Number.parseInt(code, 16)),
  )
  const most = header === 'column_separator' ? MOST_SEPARATOR_BYTES : MOST_DELIMITER_BYTES
  const bytes = Buffer.byteLength(read)
  if (bytes < 1 || bytes > most || read.includes('\0'))
    throw new AppError('BadInput', `${header}: It has 1 to ${most} bytes, and none of them is zero.`)
  return read
}

const BASE: FileReading = {
  format: 'csv',
  encoding: 'utf-8',
  delimiter: null,
  quote: null,
  escape: null,
  header: null,
  skip: null,
  newLine: null,
  dateFormat: null,
  timestampFormat: null,
  sheet: null,
}

/** Rows that no header says anything of. */
export const CSV_READING: FileReading = { ...BASE, header: false }

export const RECORD_READING: Readonly<Record<'json' | 'parquet', FileReading>> = {
  json: { ...BASE, format: 'json' },
  parquet: { ...BASE, format: 'parquet' },
}

const MOST_SKIPPED = 1_000_000

function character(headers: StreamHeaders, name: string, bad: Bad): string {
  const given = headers[name]
  if (!given?.trim()) return ''
  const read = readSeparator(name, given.trim())
  if (read.length !== 1 || read.charCodeAt(0) > 0x7f) throw bad(name, 'It is one ASCII character.')
  return read
}

export function csvReading(headers: StreamHeaders, bad: Bad): FileReading {
  const quote = character(headers, 'enclose', bad)
  const escape = character(headers, 'escape', bad)
  const skipped = headers['skip_header']?.trim()
  const skip = Number(skipped || 0)
  if (!Number.isInteger(skip) || skip < 0 || skip > MOST_SKIPPED)
    throw bad('skip_header', `Write a whole number from 0 to ${MOST_SKIPPED}.`)
  if (escape !== '' && quote === '')
    throw bad('escape', 'It counts inside of enclosed values only: set enclose too.')
  const delimiter = readSeparator('column_separator', headers['column_separator'] || '\t')
  if (quote !== '' && delimiter.includes(quote)) throw bad('enclose', 'It is a part of column_separator.')
  return {
    ...CSV_READING,
    delimiter,
    quote,
    // Without a character of its own, a doubled quote stands for itself.
    escape: escape || quote,
    skip,
  }
}
