import type { AskedFiles, FilePage, TablePage } from '../../kernel/outside.ts'
import type { BucketPlace } from '../bucket/bucket.ts'
import type { Keys } from '../bucket/signature.ts'
import type { TableKeeper } from './table-keeper.ts'

/** Where the files of tables are, and how they are reached. */
export interface TableStorage {
  readonly region: string
  /** Empty: that of AWS for the region. */
  readonly endpoint: string
  /** Asked for before every request, as those of a role expire. Rejects with an `OutsideRefused`. */
  keys(): Promise<Omit<Keys, 'region'>>
}

/** A catalog of tables in Hive's form, with what is remembered of it. Everything rejects with an `OutsideRefused`. */
export interface HiveCatalog {
  tables(after: string | null, stop: AbortSignal): Promise<TablePage>
  /** Of a table over files. */
  files(asked: AskedFiles, stop: AbortSignal): Promise<FilePage>
  /** The place and name in a bucket of a file that is one of a table's. */
  fileOf(key: string, stop: AbortSignal): Promise<{ readonly place: BucketPlace; readonly key: string }>
}

export interface HiveCatalogs {
  open(keeper: TableKeeper, storage: TableStorage): HiveCatalog
}
