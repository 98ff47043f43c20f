import type { ValueType } from './columns.ts'
import type { StreamCounts, StreamPart } from './files.ts'
import type { Outcome } from './outcome.ts'
import type { Cell } from './rows.ts'
import type { ExecuteOptions } from './run.ts'

/** Reads what programs have sent, for an engine that reads no files itself. Nothing of it lasts. */
export interface Staging {
  /** As the table would have the rows: those that do not fit are left out, within the bounds of the part. */
  read(order: StagingOrder): Promise<Staged>
}

export interface StagedColumn {
  readonly name: string
  readonly type: ValueType
  readonly isNullable: boolean
}

export interface StagingOrder {
  readonly accountId: string
  readonly user: string | undefined
  readonly part: StreamPart
  /** Of the table, in its order. */
  readonly columns: readonly StagedColumn[]
  /** Of the statement: its expressions are bound as its sender's. */
  readonly options: ExecuteOptions
  /** With more rows than these none are given. */
  readonly mostRows: number
  readonly stop: AbortSignal
}

export type Staged =
  /** Values as texts; of bytes, in hexadecimal digits. */
  | { readonly rows: readonly (readonly Cell[])[]; readonly counts: StreamCounts; readonly isCut: boolean }
  /** It did not come to that. */
  | { readonly outcome: Outcome }

/** A type that is not staged. */
export class NotStaged extends Error {
  override readonly name = 'NotStaged'
}
