import { INTERNAL_SCHEMA } from '../guard/internal-schema.ts'

export type FileFormat = 'parquet' | 'csv' | 'json'

/** The files of one table, all of one format. */
export interface TableFiles {
  readonly database: string
  readonly table: string
  readonly format: FileFormat
  /** By their full paths, in order. */
  readonly files: readonly string[]
  /** Whether they lie in folders such as `year=2026`. */
  readonly isPartitioned: boolean
  /** Another one when a file was added, removed or changed. */
  readonly stamp: string
}

/** A table of which somebody else knows how its rows are read. */
export interface WrittenTable {
  readonly database: string
  readonly table: string
  readonly select: string
  readonly stamp: string
}

/** A table whose files cannot be taken for one. */
export interface BrokenTable {
  readonly database: string
  readonly table: string
  readonly problem: string
}

export interface FolderContent {
  readonly databases: readonly string[]
  readonly tables: readonly (TableFiles | WrittenTable | BrokenTable)[]
  /** What lies there and is not shown, as sentences. */
  readonly ignored: readonly string[]
}

export class FolderUnreadable extends Error {
  override readonly name = 'FolderUnreadable'
}

/** Why not, when it is that; anything else is thrown on. */
export function folderRefusal(error: unknown): string {
  if (error instanceof FolderUnreadable) return error.message
  throw error
}

export interface ScanLimits {
  readonly tables: number
  readonly files: number
  readonly partitions: number
}

export const SCAN_LIMITS: ScanLimits = { tables: 1000, files: 20_000, partitions: 8 }
export const MOST_IGNORED = 20

const FORMATS: readonly (readonly [RegExp, FileFormat])[] = [
  [/\.(?:parquet|pq)$/i, 'parquet'],
  [/\.(?:csv|tsv)(?:\.gz|\.zst)?$/i, 'csv'],
  [/\.(?:json|jsonl|ndjson)(?:\.gz|\.zst)?$/i, 'json'],
]

export const formatOf = (name: string): FileFormat | null =>
  FORMATS.find(([ending]) => ending.test(name))?.[1] ?? null

/** As tools leave behind: `_SUCCESS`, `.crc`, `_temporary`. */
export const isHidden = (name: string): boolean => name.startsWith('.') || name.startsWith('_')

/** A path is a pattern to DuckDB where it has one of these in it; control characters make a name that nobody can write. */
// oxlint-disable-next-line no-control-regex
export const UNREADABLE_NAME = /[*?[\]{}\\"\u0000-\u001f\u007f]/

/** Half a character, which no text can be written with. */
const HALF = /\p{Surrogate}/u

const RESERVED = new Set(['information_schema', 'pg_catalog'])

const isReserved = (name: string): boolean =>
  RESERVED.has(name.toLowerCase()) || name.toLowerCase().includes(INTERNAL_SCHEMA)

/** Why something that lies there cannot be a database or a table; null when it can. */
export function whyNoName(name: string, where: string): string | null {
  if (UNREADABLE_NAME.test(name) || HALF.test(name))
    return `${JSON.stringify(where)} has a character that is not allowed in names`
  return isReserved(name) ? `${where} has a name that is reserved for the service` : null
}

export const PARTITION = /^[^=]+=[^=]*$/

export interface FoundFile {
  /** By which DuckDB reads it. */
  readonly path: string
  readonly format: FileFormat
  /** Of partitions. */
  readonly depth: number
  readonly stamp: string
}

/** What a table is made of, when its files can be taken for one. */
export function tableOf(
  { database, table }: Pick<TableFiles, 'database' | 'table'>,
  found: readonly FoundFile[],
): TableFiles | BrokenTable {
  const broken = (problem: string): BrokenTable => ({ database, table, problem })
  const formats = new Set(found.map(({ format }) => format))
  const [format] = formats
  if (format === undefined) return broken('it has no Parquet, CSV or JSON files')
  if (formats.size > 1)
    return broken(`it has files of several formats: ${[...formats].toSorted().join(', ')}`)
  const depths = new Set(found.map(({ depth }) => depth))
  if (depths.size > 1) return broken('its files lie at different depths of partitions')
  const inOrder = found.toSorted((one, other) => (one.path < other.path ? -1 : 1))
  return {
    database,
    table,
    format,
    files: inOrder.map(({ path }) => path),
    isPartitioned: !depths.has(0),
    stamp: inOrder.map(({ stamp }) => stamp).join('\n'),
  }
}
