import type { Readable } from 'node:stream'
import type { HiveTable } from './hive-table.ts'
import type { IcebergTable } from './iceberg.ts'

/**
 * Files that lie outside of this machine, as the service reads them for an engine. The service alone knows where they are
 * and the keys to them; an engine knows the id of a catalog and names in it, and can do nothing but list and read. Of a
 * catalog over a bucket it lists objects; of one whose tables another server keeps, tables.
 */
export interface Outside {
  /** What a catalog shows, a page at a time, in the order of its names. Rejects with an `OutsideRefused`. */
  list(catalogId: string, after: string | null, stop: AbortSignal): Promise<ObjectPage>
  /** The tables of a catalog, a page at a time, in the order of their names. Rejects with an `OutsideRefused`. */
  tables(catalogId: string, after: string | null, stop: AbortSignal): Promise<TablePage>
  /** The files of one of these tables that is over files, a page at a time. Rejects with an `OutsideRefused`. */
  files(catalogId: string, asked: AskedFiles, stop: AbortSignal): Promise<FilePage>
  /** Rejects with an `OutsideRefused`. */
  read(catalogId: string, wanted: WantedObject, stop: AbortSignal): Promise<ReadObject>
}

export interface ObjectPage {
  readonly objects: readonly ListedObject[]
  /** Requests the next page; null: this was the last one. */
  readonly next: string | null
}

export interface ListedObject {
  /** Below what the catalog shows, parts with a slash between them. */
  readonly key: string
  readonly size: number
  /** Another one when its content is another one. */
  readonly etag: string
  readonly changedAt: Date
}

export interface TablePage {
  /** All of them, with every page. */
  readonly databases: readonly string[]
  readonly tables: readonly OutsideTable[]
  /** What is there and not shown, as sentences; with every page. */
  readonly ignored: readonly string[]
  readonly next: string | null
}

export interface OutsideTable {
  readonly database: string
  readonly name: string
  /** As a sentence without its end when it cannot be read. */
  readonly content: IcebergTable | HiveTable | string
}

export const isIceberg = (content: OutsideTable['content']): content is IcebergTable =>
  typeof content !== 'string' && 'manifestList' in content

export interface AskedFiles extends Pick<OutsideTable, 'database' | 'name'> {
  readonly after: string | null
}

export interface FilePage {
  readonly files: readonly PartitionFile[]
  readonly next: string | null
}

/** Its key is that of a file of its table; see `keyInTable`. */
export interface PartitionFile extends ListedObject {
  /** Of the partition that it lies in, in the order of the partition columns. */
  readonly values: readonly string[]
}

/** The key of a file of such a table: where it lies in the bucket, behind the table that it is of. */
export const keyInTable = (
  { database, name }: Pick<OutsideTable, 'database' | 'name'>,
  path: string,
): string => `${[database, name].map(encodeURIComponent).join('/')}/${path}`

/** Reads such a key; null if it is invalid. */
export function tableInKey(key: string): { database: string; name: string; path: string } | null {
  const [database = '', name = '', ...path] = key.split('/')
  if (database === '' || name === '' || path.length === 0) return null
  try {
    return { database: decodeURIComponent(database), name: decodeURIComponent(name), path: path.join('/') }
  } catch {
    return null
  }
}

export interface WantedObject {
  readonly key: string
  /** As listed: other content is not read in its place. */
  readonly etag: string
  /** Bytes, both ends included; null: all of them. */
  readonly range: { readonly first: number; readonly last: number } | null
}

export interface ReadObject {
  /** Of the body. */
  readonly length: number
  readonly body: Readable
}

/** A catalog of the account over data elsewhere, as a cluster is given it: nothing of it is secret. */
export interface GivenCatalog {
  readonly id: string
  readonly name: string
  readonly region: string
  /** Of its storage; empty: that of AWS for the region. */
  readonly endpoint: string
  /** Of its files; null: the service has keys for each of its tables, which end after a while. */
  readonly accessKey: string | null
  /** Why clusters cannot read it, as a sentence; null: they can. */
  readonly whyNot: string | null
}

/**
 * `missing`: it does not exist; `changed`: it is another one by now; `refused`: its server does not give it;
 * `unreachable`: no answer, or not in time; `nonsense`: the answer is invalid.
 */
export const OUTSIDE_REASONS = ['missing', 'changed', 'refused', 'unreachable', 'nonsense'] as const
export type OutsideReason = (typeof OUTSIDE_REASONS)[number]

/** Why it cannot be read, as an unfinished sentence, in words that the creator of the catalog understands. */
export class OutsideRefused extends Error {
  override readonly name = 'OutsideRefused'

  constructor(
    readonly reason: OutsideReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
