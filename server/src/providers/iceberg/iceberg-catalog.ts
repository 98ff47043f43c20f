import type { TablePage } from '../../kernel/outside.ts'
import type { BucketPlace } from '../bucket/bucket.ts'

/** A server that speaks Iceberg REST, how it is reached, and how the files of its tables are. */
export interface IcebergPlace {
  /** The part before `/v1`. */
  readonly url: string
  readonly warehouse: string
  /** `id:secret` of a client, or a token; empty: it asks nobody who they are. */
  readonly credential: string
  /** Where a client gets its token; empty: of the server itself. */
  readonly oauthUrl: string
  readonly oauthScope: string
  /** Of the storage; empty: that of AWS for the region. */
  readonly endpoint: string
  readonly region: string
  /** Null: those that the server gives for each table. */
  readonly keys: { readonly accessKey: string; readonly secretKey: string } | null
}

/** What somebody may ask of such a server who reads its tables without us. */
export type AskedMetadata =
  | { readonly of: 'namespaces'; readonly parent: readonly string[]; readonly pageToken: string }
  | { readonly of: 'namespace'; readonly namespace: readonly string[] }
  | { readonly of: 'tables'; readonly namespace: readonly string[]; readonly pageToken: string }
  | {
      readonly of: 'table'
      readonly namespace: readonly string[]
      readonly name: string
      readonly snapshots: 'all' | 'refs'
    }

/** Keys to the files of tables, which end after a while. */
export interface PassingKeys {
  readonly accessKey: string
  readonly secretKey: string
  readonly sessionToken: string
}

/** One such catalog, with what is remembered of it. Everything rejects with an `OutsideRefused`. */
export interface IcebergCatalog {
  tables(after: string | null, stop: AbortSignal): Promise<TablePage>
  /** The place and name in a bucket of a file that is one of a table's. */
  fileOf(key: string, stop: AbortSignal): Promise<{ readonly place: BucketPlace; readonly key: string }>
  /**
   * The answer of its server, to the letter, but for what it has beside the metadata of a table: of that, these keys are left
   * alone, or those that the server gives.
   */
  metadata(asked: AskedMetadata, keys: PassingKeys | null, stop: AbortSignal): Promise<string>
}

export interface IcebergCatalogs {
  open(place: IcebergPlace): IcebergCatalog
}
