import type { AskedFiles, FilePage, TablePage } from '../../kernel/outside.ts'
import type { BucketPlace } from '../bucket/bucket.ts'
import type { Keys } from '../bucket/signature.ts'

/** The Data Catalog of AWS Glue in one region, and how the files of its tables are reached. */
export interface GluePlace {
  readonly region: string
  /** Of the storage; empty: that of AWS for the region. */
  readonly endpoint: string
  /** Asked for before every request, as those of a role expire. Rejects with an `OutsideRefused`. */
  keys(): Promise<Omit<Keys, 'region'>>
}

/** One such catalog, with what is remembered of it. Everything rejects with an `OutsideRefused`. */
export interface GlueCatalog {
  tables(after: string | null, stop: AbortSignal): Promise<TablePage>
  /** Of a table over files. */
  files(asked: AskedFiles, stop: AbortSignal): Promise<FilePage>
  /** The place and name in a bucket of a file that is one of a table's. */
  fileOf(key: string, stop: AbortSignal): Promise<{ readonly place: BucketPlace; readonly key: string }>
}

export interface GlueCatalogs {
  open(place: GluePlace): GlueCatalog
}
