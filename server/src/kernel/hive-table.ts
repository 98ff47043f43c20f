export interface HiveColumn {
  readonly name: string
  /** In Hive's words, such as `array<struct<id:bigint>>`. */
  readonly type: string
}

/** How the lines of a text file are taken apart. */
export interface CsvForm {
  readonly delimiter: string
  /** Empty: nothing is quoted. */
  readonly quote: string
  /** Empty: nothing is escaped. */
  readonly escape: string
  /** Lines at the beginning of each file that hold no rows. */
  readonly skippedLines: number
  /** What stands for NULL; null: nothing does. */
  readonly nullText: string | null
}

export type HiveFormat =
  | { readonly kind: 'parquet' }
  | ({ readonly kind: 'csv' } & CsvForm)
  | { readonly kind: 'json'; readonly ignoresMalformed: boolean }

/** What an engine has to know of a table over files to read them; the files themselves are listed apart. */
export interface HiveTable {
  readonly columns: readonly HiveColumn[]
  /** Their values are not in the files. */
  readonly partitionColumns: readonly HiveColumn[]
  readonly format: HiveFormat
}

/** The value that Hive writes for a partition of NULL. */
export const NULL_PARTITION = '__HIVE_DEFAULT_PARTITION__'
