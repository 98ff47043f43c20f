import { createHash } from 'node:crypto'
import { PIPE_FORMATS, type PipeFormat } from '@boathouse/contract'
import { type PipeInsert, quoteIdentifier } from '@boathouse/sql'
import type { StreamColumn } from '../../../engines/engine/files.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { readStreamOptions, type StreamOptions } from '../stream/stream-options.ts'
import type { PipeSettings } from './pipe-properties.ts'

/** Where the files of a pipe are, and how they are read. */
export interface PipeSourceText {
  readonly path: string
  readonly format: PipeFormat
  /** As in FILES(…), without the two above. */
  readonly options: Readonly<Record<string, string>>
  /** Of the table; null: all of them. */
  readonly columns: readonly string[] | null
  /** Of the files; null: all of them. */
  readonly selected: readonly string[] | null
  readonly where: string | null
}

/** What stream load calls the same. */
const HEADER_OF: Readonly<Record<string, string>> = {
  'csv.column_separator': 'column_separator',
  'csv.row_delimiter': 'row_delimiter',
  'csv.enclose': 'enclose',
  'csv.escape': 'escape',
  'csv.skip_header': 'skip_header',
  'csv.trim_space': 'trim_space',
  'json.paths': 'jsonpaths',
  'json.root': 'json_root',
  'json.strip_outer_array': 'strip_outer_array',
  compression: 'compression',
}

const DAY_S = 86_400

const COMPRESSED: Readonly<Record<string, string>> = {
  gz: 'gzip',
  gzip: 'gzip',
  zst: 'zstd',
  zstd: 'zstd',
  bz2: 'bzip2',
  lz4: 'lz4',
}

const bad = (what: string) => new AppError('BadInput', what)

function compressionOf({ format, options }: PipeSourceText, path: string): string {
  const said = options['compression']?.toLowerCase()
  if (said !== undefined && said !== 'auto') return said
  const [, end = ''] = /\.([a-z0-9]+)$/i.exec(path) ?? []
  return format === 'parquet' ? '' : (COMPRESSED[end.toLowerCase()] ?? '')
}

/** Names of the files and of the table in pairs; those that differ are computed from one another. */
const pairs = (selected: readonly string[], columns: readonly string[]): StreamColumn[] => [
  ...selected.map((name) => ({ name, expression: null })),
  ...columns.flatMap((name, at) => {
    const from = selected[at] ?? name
    return from.toLowerCase() === name.toLowerCase() ? [] : [{ name, expression: quoteIdentifier(from) }]
  }),
]

function columnsOf({ columns, selected }: PipeSourceText): StreamOptions['part']['columns'] {
  if (columns === null) return null
  return pairs(selected ?? columns, columns)
}

export interface LoadedFile {
  readonly path: string
  readonly label: string
}

/** How stream load takes a file of a pipe. Throws what it refuses. */
export function streamOptionsOf(
  source: PipeSourceText,
  settings: PipeSettings,
  file: LoadedFile,
): StreamOptions {
  const headers: Record<string, string> = { column_separator: ',', enclose: '"' }
  for (const [name, value] of Object.entries(source.options)) {
    const header = HEADER_OF[name]
    if (header !== undefined) headers[header] = value
  }
  const options = readStreamOptions({
    ...(source.format === 'csv' ? headers : withoutCsv(headers)),
    compression: compressionOf(source, file.path),
    format: source.format,
    label: file.label,
    max_filter_ratio: settings.max_filter_ratio,
    strict_mode: settings.strict_mode,
    timezone: settings.timezone,
    warehouse: settings.warehouse,
    timeout: String(DAY_S),
  })
  return { ...options, part: { ...options.part, columns: columnsOf(source), where: source.where } }
}

const withoutCsv = ({ column_separator: _separator, enclose: _enclose, ...others }: Record<string, string>) =>
  others

/** What a pipe reads, from its statement or from a form. Throws what is not understood: left out, it would load something else. */
export function readSource({ columns, selected, files, where }: Omit<PipeInsert, 'table'>): PipeSourceText {
  const { path, format, ...options } = files
  const found = PIPE_FORMATS.find((one) => one === format?.toLowerCase())
  if (path === undefined) throw bad('FILES: Set "path", such as folder://name/orders/*.csv.')
  if (!found) throw bad(`FILES: Set "format" to one of ${PIPE_FORMATS.join(', ')}.`)
  const strange = Object.keys(options).find((name) => !(name in HEADER_OF))
  if (strange?.startsWith('aws.'))
    throw bad(`FILES: Leave ${strange} out. A bucket is read with the keys of the catalog over it.`)
  if (strange !== undefined)
    throw bad(`FILES: There is no option ${strange}. The options are ${Object.keys(HEADER_OF).join(', ')}.`)
  const other = Object.keys(options).find((name) => /^(?:csv|json)\./.test(name) && !name.startsWith(found))
  if (other !== undefined) throw bad(`FILES: ${other} is not for the format ${found}. Leave it out.`)
  if (selected && found === 'csv')
    throw bad(
      'Columns of CSV files have no names. Write SELECT *, and name the columns behind the table in their order.',
    )
  if (selected && columns?.length !== selected.length)
    throw bad('Name as many columns behind the table as you select: INSERT INTO t (a, b) SELECT x, y …')
  return { path, format: found, options, columns, selected, where }
}

/** One label for one content of one file of one pipe. */
export function labelOf(
  pipe: { pipe_id: string; name: string },
  file: { path: string; version: string },
): string {
  const known = JSON.stringify([pipe.pipe_id, file.path, file.version])
  const readable = pipe.name.replaceAll(/[^-\w]/g, '_').slice(0, 40)
  return `pipe-${readable}-${createHash('sha256').update(known).digest('hex').slice(0, 40)}`
}
