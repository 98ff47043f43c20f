/** A catalog of an account beside its first one. */
export type AccountCatalog = OwnCatalog | ExternalCatalog

/** Over data that lies elsewhere, to be read only. */
export type ExternalCatalog = FolderCatalog | BucketCatalog | IcebergCatalog | HiveCatalog

/** Of the account's own data. */
export interface OwnCatalog {
  readonly kind: 'own'
  /** Names what is kept of it, whatever it is called. */
  readonly id: string
  readonly name: string
  /** Its creation was not acknowledged yet, so it is created if it does not exist. */
  readonly isNew: boolean
}

/** Over files that lie in a folder as database/table(/partition=value), to be read only. */
export interface FolderCatalog {
  readonly kind: 'folder'
  readonly id: string
  readonly name: string
  /** One of those that are open to the account; null: it is no longer. */
  readonly root: string | null
  /** Names of folders in it, from the outside in. */
  readonly below: readonly string[]
}

/** The same over files of a bucket, which are read by `Outside`. Where that is, and by which keys, it never learns. */
export interface BucketCatalog {
  readonly kind: 'bucket'
  readonly id: string
  readonly name: string
}

/** Over tables of a server that speaks Iceberg REST, likewise by `Outside`. */
export interface IcebergCatalog {
  readonly kind: 'iceberg'
  readonly id: string
  readonly name: string
}

/** Over tables in Hive’s form, as AWS Glue and Hive metastores keep them, likewise by `Outside`. */
export interface HiveCatalog {
  readonly kind: 'hive'
  readonly id: string
  readonly name: string
}

/** What a catalog over files would show. */
export interface FolderReport {
  readonly databases: number
  readonly tables: number
  /** What would not be shown or not be read, as sentences. */
  readonly problems: readonly string[]
}

export interface Attachments {
  /** What it can have. */
  readonly kinds: ReadonlySet<AccountCatalog['kind']>
  /** Of a kind that it could have, if the operator had set it up: what is missing. */
  whyNot(kind: AccountCatalog['kind']): string | null
  /** The true name of a catalog that is there beside the first one, whatever the letter case in which it is asked for. */
  named(name: string): string | null
  /** Of one that should be there and is not: why. */
  whyClosed(name: string): string | null
  /** Why one that is there cannot be read right now; null when it can. */
  check(name: string): Promise<string | null>
  /** From now on, for every session. */
  attach(catalog: AccountCatalog): Promise<void>
  /** Gone for every session, with all that is in it. */
  remove(catalog: Pick<AccountCatalog, 'id' | 'name'>): Promise<void>
  /**
   * Gives it another name in every session; sessions that are in it stay there. False, and nothing is done, while a
   * statement or an open transaction may use it.
   */
  rename(name: string, to: string): Promise<boolean>
  /** Rejects with a `FolderRefused` when it could not be read at all. */
  tryOut(catalog: ExternalCatalog): Promise<FolderReport>
}

/** What a catalog would be over cannot be read, as a sentence. */
export class FolderRefused extends Error {
  override readonly name = 'FolderRefused'
}
