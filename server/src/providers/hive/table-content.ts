import type { HiveTable } from '../../kernel/hive-table.ts'
import type { Table } from './table-answers.ts'
import { formatOf } from './table-format.ts'

/** A folder of a bucket, without slashes at its ends; empty: all of it. */
export interface Folder {
  readonly bucket: string
  readonly path: string
}

/** Over files in folders. */
interface FilesTable {
  readonly kind: 'files'
  readonly content: HiveTable
  readonly home: Folder
}

/** Of which the metadata says what it is. */
interface IcebergPointer {
  readonly kind: 'iceberg'
  readonly metadata: Folder
}

const BUCKET = /^[a-z0-9](?!.*\.\.)[a-z0-9.-]{1,61}[a-z0-9]$/
const MOST_COLUMNS = 10_000

export function folderIn(location: string): Folder | null {
  const [, bucket = '', path = ''] = /^s3[an]?:\/\/([^/]+)(?:\/(.*))?$/s.exec(location) ?? []
  return BUCKET.test(bucket) ? { bucket, path: path.replace(/^\/+|\/+$/g, '') } : null
}

const NOT_HERE = 'its files do not lie in a bucket that speaks S3'

/** Kinds of tables that only say in their parameters what they are. */
function otherKind({ TableType, TargetTable, Parameters: own = {} }: Table, label: string): string | null {
  const words = own ?? {}
  if (TargetTable !== undefined && TargetTable !== null)
    return 'it is a link to a table of another database or account'
  if (TableType === 'VIRTUAL_VIEW' || TableType === 'MATERIALIZED_VIEW')
    return `it is a view, and views of ${label} are not read`
  const kind = `${words['table_type'] ?? ''} ${words['spark.sql.sources.provider'] ?? ''}`.toLowerCase()
  if (kind.includes('delta')) return 'it is a Delta Lake table, and Iceberg and plain files are read'
  if (kind.includes('hudi') || words['hudi.metadata-listing-enabled'] !== undefined)
    return 'it is a Hudi table, and Iceberg and plain files are read'
  if (words['transactional']?.toLowerCase() === 'true')
    return 'it is a transactional table, whose files only Hive can put together'
  if (words['projection.enabled']?.toLowerCase() === 'true')
    return `its partitions are computed (projection.enabled) and not kept in ${label}`
  return null
}

const columnsOf = (columns: Table['PartitionKeys']) =>
  (columns ?? []).map(({ Name: name, Type: type }) => ({ name, type: type ?? '' }))

/** What a table is; a sentence without its end when it is not read. The label is that of who keeps it. */
export function contentOf(table: Table, label: string): FilesTable | IcebergPointer | string {
  const words = table.Parameters ?? {}
  const storage = table.StorageDescriptor
  if (words['table_type']?.toUpperCase() === 'ICEBERG') {
    const metadata = folderIn(words['metadata_location'] ?? '')
    return metadata && metadata.path !== ''
      ? { kind: 'iceberg', metadata }
      : 'it is an Iceberg table without the place of its metadata'
  }
  const other = otherKind(table, label)
  if (other !== null) return other
  if (/hudi/i.test(storage?.InputFormat ?? ''))
    return 'it is a Hudi table, and Iceberg and plain files are read'
  const home = folderIn(storage?.Location ?? '')
  if (!home) return NOT_HERE
  const columns = columnsOf(storage?.Columns)
  const partitionColumns = columnsOf(table.PartitionKeys)
  if (columns.length === 0) return `it has no columns in ${label}`
  if (columns.length + partitionColumns.length > MOST_COLUMNS)
    return `it has more than ${MOST_COLUMNS} columns`
  const format = formatOf(table)
  if (typeof format === 'string') return format
  return { kind: 'files', content: { columns, partitionColumns, format }, home }
}
