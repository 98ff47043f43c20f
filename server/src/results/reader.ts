import type { Cell, ResultRows } from '../engines/engine/rows.ts'
import type { EngineError } from '../engines/engine/outcome.ts'
import type {
  ColumnStatistics,
  ComparisonOrder,
  PivotOrder,
  PivotTable,
  ResultComparison,
  StatisticsOrder,
} from './computing.ts'

/**
 * Reads results of statements that have ended, by their query ids, and writes them out. Each rejects with a
 * `ResultRefused` when it cannot do it, as on a full disk.
 */
export interface ResultReader {
  /** Rows in their order; null when the result is not kept here (any more). */
  read(queryId: string, window: WindowOrder): Promise<ResultWindow | null>
  /** Of all its rows, those that are wanted in the order that is wanted; null when the result is not kept. */
  arranged(queryId: string, order: ArrangedOrder): Promise<ArrangedWindow | null>
  /** A part of one value; null when the result is not kept or has no such cell. */
  cell(queryId: string, part: CellPart): Promise<{ readonly text: Cell; readonly length: number } | null>
  /** Over all rows that pass; null when the result is not kept or has no such column. */
  statistics(queryId: string, order: StatisticsOrder): Promise<ColumnStatistics | null>
  /** Null when the result is not kept or lacks one of the columns. */
  pivot(queryId: string, order: PivotOrder): Promise<PivotTable | null>
  /** With the run before; null when one of both is not kept or lacks one of the columns. */
  compare(queryId: string, order: ComparisonOrder): Promise<ResultComparison | null>
  /** What is being computed under this id is refused as stopped, if it is not done by then. */
  stopWork(workId: string): Promise<null>
  /** Writes the whole result into a file; null when it is not kept. Memory stays flat. */
  export(queryId: string, order: ExportOrder): Promise<Exported | null>
  /** How far a file is that is being made, from 0 to 100; null when that is not known. */
  exportProgress(file: string): Promise<number | null>
  /** The export that makes the file answers that it was stopped, if it is not done by then. */
  stopExport(file: string): Promise<null>
}

/** A reader of one account's results, with nothing else within its reach. */
export interface OpenReader extends ResultReader {
  /** Resolves once it has ended, asked to or not; whatever it was asked then rejects with an `EngineUnavailable`. */
  readonly ended: Promise<unknown>
  close(): Promise<void>
}

export interface ReaderProvider {
  /** Rejects with an `EngineUnavailable` when it cannot start. */
  openReader(place: ReaderPlace): Promise<OpenReader>
}

export interface ReaderPlace {
  readonly accountId: string
  /** The account's own. */
  readonly directory: string
  /** The user that the account's engine runs as; null where it has none of its own. */
  readonly osUser: number | null
}

export interface WindowOrder {
  readonly offset: number
  readonly limit: number
  /** Cells of more UTF-16 units than this come cut, see `longCells`; without it they are whole. */
  readonly longestCell?: number | undefined
}

interface ResultWindow extends ResultRows {
  readonly totalRows: number
  readonly complete: boolean
}

/** Which values are wanted; a part of a value counts whatever its letter case. */
export type CellFilter =
  | { readonly kind: 'null'; readonly isNull: boolean }
  | { readonly kind: 'compare'; readonly sign: ComparingSign; readonly operand: string }
  | { readonly kind: 'contains'; readonly text: string }

export type ComparingSign = '=' | '!=' | '<' | '<=' | '>' | '>='

/** Columns are places in the result. Of filters, a row passes all. */
export interface Arrangement {
  readonly sort: { readonly column: number; readonly descending: boolean } | null
  readonly filters: readonly { readonly column: number; readonly filter: CellFilter }[]
}

export interface ArrangedOrder extends WindowOrder, Arrangement {}

interface ArrangedWindow extends ResultWindow {
  /** Of each row, its place in the result. */
  readonly places: readonly number[]
  /** Of all rows, how many pass. */
  readonly shownRows: number
}

/** Places are counted from 0, lengths in UTF-16 units. A character of two is not split: a part may be shorter by one. */
export interface CellPart {
  readonly row: number
  readonly column: number
  readonly offset: number
  /** At least 2. */
  readonly length: number
}

export type ExportFormat = 'csv' | 'json' | 'parquet' | 'xlsx'

export interface ExportOrder {
  readonly format: ExportFormat
  /** In the account's folder of exports. */
  readonly file: string
  readonly maxBytes: number
}

/** `bytes` is null when the file would be larger than it may be, or its format cannot hold the rows: there is none. */
export interface Exported {
  readonly bytes: number | null
  /** What the format cannot hold, and which one can. */
  readonly unfit?: string
  readonly stopped?: boolean
}

/** A kept result is there, and cannot be read or written out. */
export class ResultRefused extends Error {
  override readonly name = 'ResultRefused'

  constructor(readonly error: EngineError) {
    super(error.message)
  }
}
