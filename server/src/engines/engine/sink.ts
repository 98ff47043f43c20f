import type { Column } from './columns.ts'

/**
 * Takes the rows of a statement as they come: all of them, with whole values. What it has taken counts only when the
 * outcome says that the statement finished.
 */
export interface RowSink {
  /** It takes batches that are packed as well: an engine gives it such where it has them. */
  readonly takesPacked?: boolean
  /** Once, before any rows, of an empty result as well. Not called for a statement that has no result. */
  begin(columns: readonly Column[]): void | Promise<void>
  /**
   * One batch at a time. While this is pending the engine reads no further than a few batches ahead. When it rejects,
   * reading ends and the statement is cancelled. The batch may be kept.
   */
  write(batch: RowBatch): Promise<void>
  /** Once, behind the last row, and before what the statement did takes effect. Rejects as `write` does. */
  end?(): Promise<void>
}

/** Some rows, column by column: at least one row, and of a few hundred kilobytes unless a single row has more. */
export interface RowBatch {
  readonly rows: number
  readonly columns: readonly TextColumn[]
  /** All of it in place of columns, as `packed-rows.ts` says; only for a sink that takes it so. */
  readonly packed?: Uint8Array
  /** Gives back the memory of packed rows, once, when nothing reads them any more. Who keeps the batch does not call it. */
  readonly release?: () => void
}

/** The values of a column as UTF-8 text, one behind the other. */
export interface TextColumn {
  readonly data: Uint8Array
  /** Of each row, where its text ends in `data`; it begins where the one before ends. NULL has an empty text. */
  readonly ends: Uint32Array
  /** 1 where the value is NULL; null when none is. */
  readonly isNull: Uint8Array | null
}
