/** As the metadata of a table writes it: a name such as `long` or `decimal(9,2)`, or one of these. */
export type IcebergType = string | IcebergStruct | IcebergList | IcebergMap

interface IcebergStruct {
  readonly type: 'struct'
  readonly fields: readonly IcebergField[]
}

interface IcebergList {
  readonly type: 'list'
  readonly 'element-id': number
  readonly element: IcebergType
}

interface IcebergMap {
  readonly type: 'map'
  readonly 'key-id': number
  readonly key: IcebergType
  readonly 'value-id': number
  readonly value: IcebergType
}

export interface IcebergField {
  readonly id: number
  readonly name: string
  readonly type: IcebergType
}

/** What an engine has to know of a table to find its files and to read them. */
export interface IcebergTable {
  readonly bucket: string
  /** Folders of the bucket: nothing beside them is read for this table. */
  readonly roots: readonly string[]
  readonly columns: readonly IcebergField[]
  /** By the ids of partition specs: the columns whose values are those of the partition. */
  readonly identities: Readonly<Record<string, readonly number[]>>
  /** Whether it may have files whose columns have names alone. */
  readonly hasNameMapping: boolean
  /** Of its current snapshot, in the bucket; null: the table is empty. */
  readonly manifestList: string | null
}

const SCHEME = /^s3[an]?:\/\/([^/]+)\/(.+)$/s

/** Where something lies in a bucket; null when it lies elsewhere. */
export function bucketPathOf(location: string): { readonly bucket: string; readonly path: string } | null {
  const [, bucket, path] = SCHEME.exec(location) ?? []
  return bucket === undefined || path === undefined ? null : { bucket, path }
}

/** Whether a path of the bucket is one of the table's. */
export const isOfTable = ({ roots }: Pick<IcebergTable, 'roots'>, path: string): boolean =>
  roots.some((root) => path.startsWith(`${root}/`))
