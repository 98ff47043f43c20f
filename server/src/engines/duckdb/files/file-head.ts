import { isUtf8 } from 'node:buffer'
import { open } from 'node:fs/promises'
import type { FileFormat, FileReading } from '../../engine/files.ts'
import { StatementRefused } from '../errors.ts'

/** Room for the longest first line that is read. */
const HEAD_BYTES = 2_000_000
/** As many as a statement may ask for. */
const MOST_COLUMNS = 4096
const DELIMITERS = [',', ';', '\t', '|']

/** What files of some kinds begin with. */
const MARKS: readonly (readonly [mark: string, what: string, format: FileFormat | null])[] = [
  ['PAR1', 'a Parquet file', 'parquet'],
  ['PK\u0003\u0004', 'a ZIP archive or a spreadsheet (XLSX)', 'xlsx'],
  ['\u00d0\u00cf\u0011\u00e0', 'a document of an old form (XLS) or one with a password', null],
  ['\u001f\u008b', 'compressed twice', null],
  ['\u0028\u00b5\u002f\u00fd', 'compressed twice', null],
  ['%PDF', 'a PDF document', null],
  ['SQLite format 3', 'an SQLite database', null],
]

const NAMES: Readonly<Record<FileFormat, string>> = {
  csv: 'CSV',
  tsv: 'TSV',
  json: 'JSON',
  ndjson: 'NDJSON',
  parquet: 'Parquet',
  xlsx: 'XLSX',
}

export const refuse = (message: string): StatementRefused => new StatementRefused({ kind: 'data', message })

const UTF_16 = [
  [0xff, 0xfe],
  [0xfe, 0xff],
] as const

/** Refuses a file that is not what it is said to be, before anyone tries to make sense of it. */
export async function refuseLying(path: string, reading: FileReading): Promise<void> {
  const { format, encoding } = reading
  const head = await headOf(path)
  if (head.length === 0) throw refuse('The file is empty. There is nothing to load.')
  const [, what, trueFormat] =
    MARKS.find(([mark]) => head.subarray(0, mark.length).equals(bytesOf(mark))) ?? []
  if (what && trueFormat !== format)
    throw refuse(
      `This is not ${NAMES[format]}: the file is ${what}. ${trueFormat ? `Load it as ${NAMES[trueFormat]}.` : 'Unpack it, or save it as CSV or XLSX, and upload that.'}`,
    )
  if (format === 'parquet' || format === 'xlsx') {
    const begin = format === 'xlsx' ? 'as an archive' : 'with PAR1'
    if (!what)
      throw refuse(
        `This is not ${NAMES[format]}: the file does not begin ${begin}. Choose the format it has.`,
      )
    return
  }
  const isUtf16 = UTF_16.some(([first, second]) => head[0] === first && head[1] === second)
  if (isUtf16 && encoding !== 'utf-16')
    throw refuse('The file is in UTF-16. Choose the encoding UTF-16, or save it as UTF-8 and upload that.')
  if (encoding === 'utf-16') return
  if (head.includes(0)) throw refuse(`This is not ${NAMES[format]}: the file holds bytes that no text has.`)
  if (encoding === 'utf-8' && !isUtf8(wholeCharacters(head)))
    throw refuse(
      'The file is not in UTF-8. Choose the encoding Latin-1 or UTF-16, or save it as UTF-8 and upload that.',
    )
  if (format === 'csv' || format === 'tsv') refuseWide(head, reading)
}

/** Without the start of a character that continues behind the end. */
function wholeCharacters(head: Buffer): Buffer {
  if (head.length < HEAD_BYTES) return head
  let end = head.length
  while (end > head.length - 4 && ((head[end - 1] ?? 0) & 0xc0) === 0x80) end--
  return head.subarray(0, end - 1)
}

/** To find out what thousands of columns hold takes DuckDB longer than anybody waits. */
function refuseWide(head: Buffer, { delimiter, format }: FileReading): void {
  const end = head.indexOf(0x0a)
  const line = head.subarray(0, end < 0 ? head.length : end).toString('latin1')
  const unquoted = line.replaceAll(/"[^"]*"/g, '')
  const given = delimiter ?? (format === 'tsv' ? '\t' : null)
  const counts = (given === null ? DELIMITERS : [given]).map((one) => unquoted.split(one).length)
  refuseColumns(Math.max(...counts))
}

export function refuseColumns(columns: number): void {
  if (columns <= MOST_COLUMNS) return
  throw refuse(
    `The file has ${columns} columns; a table that is loaded has at most ${MOST_COLUMNS}. Check the delimiter, or split the file.`,
  )
}

const bytesOf = (mark: string): Buffer => Buffer.from(mark, 'latin1')

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(HEAD_BYTES) })
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
