import { join } from 'node:path'

/** Files that users have handed to the service, as an engine reads them: by the service's order, and by no statement. */

export const FILE_FORMATS = ['csv', 'tsv', 'json', 'ndjson', 'parquet', 'xlsx'] as const
export type FileFormat = (typeof FILE_FORMATS)[number]

const FILE_ENCODINGS = ['utf-8', 'utf-16', 'latin-1'] as const
type FileEncoding = (typeof FILE_ENCODINGS)[number]

/** What an engine that reads files can read. */
export interface FileReaders {
  readonly formats: readonly FileFormat[]
  /** What it does with them; missing: all of it. */
  readonly does?: ReadonlySet<FileOrder['does']>
}

/** How a file is read. The engine detects what is null, and says in its report what it found. */
export interface FileReading {
  readonly format: FileFormat
  readonly encoding: FileEncoding
  readonly delimiter: string | null
  readonly quote: string | null
  readonly escape: string | null
  /** Whether the first line has the names of the columns. */
  readonly header: boolean | null
  /** Lines before the first one of the data or the names. */
  readonly skip: number | null
  readonly newLine: string | null
  readonly dateFormat: string | null
  readonly timestampFormat: string | null
  /** Of a spreadsheet; null: the first one. */
  readonly sheet: string | null
  /** How the values of a text are written, where somebody has said so; otherwise the engine detects it. */
  readonly written?: WrittenValues | null
}

/** Days, moments and numbers as people write them. */
export interface WrittenValues {
  /** In the codes of strptime, as %d/%m/%Y; null: year, month, day. */
  readonly date: string | null
  /** Null: as the days are, with a time. */
  readonly timestamp: string | null
  readonly decimal: '.' | ','
  /** Between groups of three digits; null: nothing. */
  readonly thousands: '.' | ',' | ' ' | "'" | null
}

/** What becomes of a value that is not of its type: its row is left out, or it is loaded as NULL. */
type Misfits = 'reject' | 'null'

/** A column of a file, by the name that it has there, and where its values go. */
export interface FileColumn {
  readonly name: string
  /** What its values are read as, in the words of the engine. */
  readonly type: string
  /** The column of the table; null: it is left out. */
  readonly into: string | null
  /** Its type was found in the beginning of the file: values are of it to the letter, or do not fit. */
  readonly isGuessed?: boolean
  /** Missing: its row is left out. */
  readonly misfits?: Misfits
}

export interface InspectOrder {
  readonly does: 'inspect'
  /** Its name among the account's uploads. */
  readonly file: string
  readonly reading: FileReading
  /** Of the rows that come back. */
  readonly rows: number
  /** Of a text, how much of its beginning is read, which has arrived; null: all of the file. */
  readonly sampleBytes: number | null
  /** Of a compressed text, how much of its beginning is extracted; null: all of it. */
  readonly extractedBytes?: number | null
}

/** Rows are added, take the place of all that are there, or of those with the same key, which are columns of the table. */
export type LoadWrites =
  | { readonly mode: 'append' | 'replace' }
  | { readonly mode: 'upsert'; readonly keys: readonly string[] }

export interface LoadOrder {
  readonly does: 'load'
  readonly file: string
  /** As the report of an inspection has it. */
  readonly reading: FileReading
  /** All columns of the file, in its order. */
  readonly columns: readonly FileColumn[]
  readonly table: { readonly catalog: string; readonly database: string; readonly name: string }
  /** The table is made, with the types of the columns; otherwise it is there. */
  readonly makesTable: boolean
  /** What becomes of the rows of a table that is there. Missing: they stay. */
  readonly writes?: LoadWrites
  /** With more rows than this that cannot be read nothing is loaded. */
  readonly mostRejected: number
  /** A column of a table that is made gets a wider type where a value does not fit its guessed one; otherwise the row is left out. */
  readonly widens: boolean
}

/** What a sender says of the columns: a value of each row, in their order, or one that is computed from these. */
export interface StreamColumn {
  readonly name: string
  /** As its sender wrote it. Null: it is in the data. */
  readonly expression: string | null
}

/** Values of JSON that are not found by the name of their column. */
interface JsonPlaces {
  /** For each column that is in the data, in their order. */
  readonly paths: readonly string[] | null
  /** Where in the text the records are. */
  readonly root: string | null
  /** Each element of a list is a record. */
  readonly stripsArray: boolean
}

/** Data that a program has sent, and the table it goes into, which is there. */
export interface StreamPart {
  /** Its name among the account's uploads. */
  readonly file: string
  readonly reading: FileReading
  readonly table: { readonly catalog: string; readonly database: string; readonly name: string }
  /** Null: those of the table, in its order, or by their names where the data has names. */
  readonly columns: readonly StreamColumn[] | null
  readonly json: JsonPlaces
  /** White space around values is no part of them. */
  readonly trims: boolean
  /** Rows that do not meet this are not loaded. */
  readonly where: string | null
  /** Nothing is loaded when more than this part of the rows is rejected, from 0 to 1. */
  readonly mostFiltered: number
  /** A value that is not of its column's type rejects its row; otherwise it becomes NULL. */
  readonly isStrict: boolean
  readonly timeZone: string | null
  /** Of the rejected rows, this many are in the report. */
  readonly reported: number
  /** Several loads in one file: loaded only when it has exactly this many rows and all of them fit. */
  readonly wholeRows: number | null
}

/** All parts are loaded, or none. */
export interface StreamOrder {
  readonly does: 'stream'
  /** Of the first part. */
  readonly reading: FileReading
  readonly parts: readonly StreamPart[]
  /** They are loaded and taken back: how they would be loaded is reported. */
  readonly isTrial: boolean
}

/** What became of a part. */
export interface StreamCounts {
  readonly total: number
  readonly loaded: number
  /** Could not be read, or did not fit the table. */
  readonly filtered: number
  /** Did not meet the condition. */
  readonly unselected: number
  readonly rejected: readonly Rejection[]
}

/** Inspecting answers the first rows, under the columns and types that all of what is read has. */
export type FileOrder = InspectOrder | LoadOrder | StreamOrder

/** A row that was left out. */
export interface Rejection {
  /** The line of a text, or the number of the record or of the row; from 1 on. Null where the engine cannot tell. */
  readonly line: number | null
  readonly column: string | null
  readonly reason: string
  /** The row, or what of it cannot be read, at its beginning. */
  readonly text: string | null
}

/** A column of texts that would have another type but for a few values. */
export interface SpoiledType {
  readonly column: string
  /** That all others fit. */
  readonly type: string
  /** Of days, how they are written; null: as the reading says. */
  readonly format: string | null
  readonly values: number
  readonly misfits: number
  /** The first of those with a value that does not fit. */
  readonly rows: readonly Rejection[]
}

/** A column of texts that are numbers where the decimal separator is a comma. */
export interface DecimalCommas {
  readonly column: string
  readonly thousands: WrittenValues['thousands']
  readonly values: number
  readonly fits: number
  /** The first of those that cannot be read otherwise. */
  readonly rows: readonly Rejection[]
}

/** Rows that cannot be read whatever the types are: how many, and the first of them. */
export interface BrokenRows {
  readonly count: number
  readonly rows: readonly Rejection[]
}

/** A column in which values that do not fit were loaded as NULL. */
export interface NulledColumn {
  readonly column: string
  readonly values: number
  /** Of the first of them. */
  readonly line: number | null
  readonly reason: string
}

/** A column that was given a wider type while it was loaded. */
export interface WidenedColumn {
  readonly column: string
  readonly from: string
  readonly to: string
  /** Of the first value that did not fit; null: it was not looked for. */
  readonly line: number | null
  readonly reason: string
}

export interface FileReport {
  readonly reading: FileReading
  readonly rejected: readonly Rejection[]
  /** What an inspection finds. */
  readonly spoiled?: readonly SpoiledType[]
  readonly decimalCommas?: readonly DecimalCommas[]
  readonly broken?: BrokenRows
  /** How many values each column has, in their order, apart from NULL. */
  readonly values?: readonly number[]
  /** How much of a compressed text was read, if that is not all of it. */
  readonly sampledBytes?: number | null
  /** What a load has changed. */
  readonly widened?: readonly WidenedColumn[]
  readonly nulled?: readonly NulledColumn[]
  /** Of a spreadsheet, by their names. */
  readonly sheets?: readonly string[]
  /** Of each part of a stream, as far as it came: the last one is the one that failed. */
  readonly parts?: readonly StreamCounts[]
}

/** Where the uploads of an account lie. */
export const uploadsIn = (accountDirectory: string): string => join(accountDirectory, 'uploads')

/** Of a name that the service has made. */
export function uploadFile(accountDirectory: string, name: string): string {
  if (!/^[\w-]{1,100}$/.test(name))
    throw new Error('The name of an upload has letters, digits, - and _ only.')
  return join(uploadsIn(accountDirectory), name)
}
