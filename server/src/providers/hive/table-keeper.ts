import { OutsideRefused } from '../../kernel/outside.ts'
import type { Partition, Table } from './table-answers.ts'

/** Who keeps names, columns and folders of tables: AWS Glue, or a Hive metastore. Everything rejects with an `OutsideRefused`. */
export interface TableKeeper {
  /** As it is called in sentences. */
  readonly label: string
  /** Why there is nothing to see, when it has no database. */
  readonly whenEmpty: string
  /** Longest answer to one question, in bytes. */
  readonly longestAnswer: number
  databases(stop: AbortSignal): Promise<readonly string[]>
  /** Page by page. */
  tables(database: string, stop: AbortSignal): AsyncIterable<readonly Table[]>
  table(of: TableName, stop: AbortSignal): Promise<Table>
  /** Page by page; no more than `most`, else it rejects with `FarTooMuch`. */
  partitions(of: TableName, most: number, stop: AbortSignal): AsyncIterable<readonly Partition[]>
}

export interface TableName {
  readonly database: string
  readonly name: string
}

export const MOST_DATABASES = 1_000

/** Who asks is not who may: no other question would be answered either. */
export class NotAccepted extends OutsideRefused {}

/** More than a limit allows, wherever that was seen: it is no reason to leave out a part. */
export class FarTooMuch extends OutsideRefused {
  constructor(what: string) {
    super('nonsense', `it has more than ${what}`)
  }
}
