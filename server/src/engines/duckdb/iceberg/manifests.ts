import { bucketPathOf, type IcebergTable, isOfTable } from '../../../kernel/iceberg.ts'
import { AvroFault, type AvroValue, readAvro } from './avro.ts'

/** Why a table is not read, as a sentence without its end. */
export class TableRefused extends Error {
  override readonly name = 'TableRefused'
}

/** A file of a table. */
export interface TableFile {
  /** As the table's metadata writes it. */
  readonly location: string
  /** In the bucket. */
  readonly path: string
  readonly size: number
  /** Later changes have greater numbers. */
  readonly sequence: bigint
  /** Whether it is certain to have its columns by their ids, those of its partition among them. */
  readonly isTold: boolean
  /** Of columns whose values are those of the partition. */
  readonly identities: readonly number[]
}

export interface FilesOfTable {
  readonly data: readonly TableFile[]
  /** Which rows of which files are deleted. */
  readonly deletes: readonly TableFile[]
}

const FILE_LIMITS = { manifests: 2_000, files: 10_000 } as const

export interface Reading {
  readonly table: IcebergTable
  /** A file of the bucket, whole; of so many bytes when that is known. */
  read(path: string, length: number | null): Promise<Buffer>
}

type AvroRecord = { readonly [name: string]: AvroValue }

const isRecord = (value: AvroValue | undefined): value is AvroRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)

const wrong = (): TableRefused => new TableRefused('what its manifests say cannot be understood')

function textIn(record: AvroRecord, name: string): string {
  const value = record[name]
  if (typeof value !== 'string') throw wrong()
  return value
}

/** Missing in files of version 1. */
function bigIn(record: AvroRecord, name: string): bigint | null {
  const value = record[name] ?? null
  if (value === null) return null
  if (typeof value !== 'bigint' && !Number.isSafeInteger(value)) throw wrong()
  return BigInt(value as bigint | number)
}

const numberIn = (record: AvroRecord, name: string): number | null => {
  const value = bigIn(record, name)
  return value === null ? null : Number(value)
}

function* records(file: Buffer): Generator<AvroRecord> {
  try {
    for (const record of readAvro(file)) {
      if (!isRecord(record)) throw wrong()
      yield record
    }
  } catch (error) {
    if (error instanceof AvroFault)
      throw new TableRefused(`a manifest of it cannot be read: ${error.message}`, { cause: error })
    throw error
  }
}

/** In its bucket, and in its folders. */
function pathIn(table: IcebergTable, location: string): string {
  const place = bucketPathOf(location)
  if (place?.bucket === table.bucket && isOfTable(table, place.path)) return place.path
  throw new TableRefused('it has files that do not lie in its own folder, and no others are read for it')
}

interface Manifest {
  readonly path: string
  /** In bytes. */
  readonly length: number | null
  readonly isOfDeletes: boolean
  readonly sequence: bigint
  readonly specId: string
}

function manifestIn(record: AvroRecord, table: IcebergTable): Manifest {
  return {
    path: pathIn(table, textIn(record, 'manifest_path')),
    length: numberIn(record, 'manifest_length'),
    isOfDeletes: numberIn(record, 'content') === 1,
    sequence: bigIn(record, 'sequence_number') ?? 0n,
    specId: String(numberIn(record, 'partition_spec_id') ?? 0),
  }
}

const DELETED = 2
const CONTENTS = { data: 0, positions: 1, equality: 2 } as const

/** Ids of the columns of which a manifest tells something in this file; empty when it tells nothing. */
function toldIn(file: AvroRecord): Set<number> {
  const ids = new Set<number>()
  for (const name of ['value_counts', 'column_sizes']) {
    const pairs = file[name]
    if (!Array.isArray(pairs)) continue
    for (const pair of pairs as readonly AvroValue[]) if (isRecord(pair)) ids.add(numberIn(pair, 'key') ?? -1)
  }
  return ids
}

function fileIn(
  entry: AvroRecord,
  manifest: Manifest,
  table: IcebergTable,
): { content: number; file: TableFile } {
  const found = entry['data_file']
  if (!isRecord(found)) throw wrong()
  const content = numberIn(found, 'content') ?? CONTENTS.data
  if (content === CONTENTS.equality)
    throw new TableRefused(
      'rows of it were deleted by their values (equality deletes), which this engine does not apply; rewrite its data files, and it is read',
    )
  const format = textIn(found, 'file_format').toUpperCase()
  if (content !== CONTENTS.data && (format === 'PUFFIN' || (found['content_offset'] ?? null) !== null))
    throw new TableRefused(
      'rows of it were deleted by deletion vectors, which this engine does not apply; rewrite its data files, and it is read',
    )
  if (format !== 'PARQUET')
    throw new TableRefused(
      `it has files in the format ${/^\w{1,20}$/.test(format) ? format : 'of another kind'}, and Parquet is read`,
    )
  if ((found['key_metadata'] ?? null) !== null)
    throw new TableRefused('its files are encrypted, which this engine does not read')
  const size = numberIn(found, 'file_size_in_bytes')
  if (size === null || !Number.isSafeInteger(size) || size < 0) throw wrong()
  const location = textIn(found, 'file_path')
  const told = toldIn(found)
  const identities = Object.hasOwn(table.identities, manifest.specId) && table.identities[manifest.specId]
  if (!identities)
    throw new TableRefused('its manifests name a partition spec that its metadata does not have')
  return {
    content,
    file: {
      location,
      path: pathIn(table, location),
      size,
      sequence: bigIn(entry, 'sequence_number') ?? manifest.sequence,
      isTold: !table.hasNameMapping && told.size > 0 && identities.every((id) => told.has(id)),
      identities,
    },
  }
}

/** Adds what a manifest has; each is read when the one before it was, so that there is never more than one in memory. */
function addFiles(
  bytes: Buffer,
  { manifest, table }: { manifest: Manifest; table: IcebergTable },
  into: { data: TableFile[]; deletes: TableFile[] },
): void {
  for (const entry of records(bytes)) {
    if (numberIn(entry, 'status') === DELETED) continue
    const { content, file } = fileIn(entry, manifest, table)
    if ((content !== CONTENTS.data) !== manifest.isOfDeletes || content > CONTENTS.positions) throw wrong()
    into[content === CONTENTS.data ? 'data' : 'deletes'].push(file)
    if (into.data.length + into.deletes.length > FILE_LIMITS.files)
      throw new TableRefused(`it has more than ${FILE_LIMITS.files} files; compact it, and it is read`)
  }
}

/** Which files make the table as it is now. Throws a `TableRefused`. */
export async function filesOf({ table, read }: Reading): Promise<FilesOfTable> {
  const into = { data: [] as TableFile[], deletes: [] as TableFile[] }
  if (table.manifestList === null) return into
  const manifests: Manifest[] = []
  for (const record of records(await read(table.manifestList, null))) {
    manifests.push(manifestIn(record, table))
    if (manifests.length > FILE_LIMITS.manifests)
      throw new TableRefused(
        `it has more than ${FILE_LIMITS.manifests} manifests; compact them, and it is read`,
      )
  }
  for (const manifest of manifests)
    addFiles(await read(manifest.path, manifest.length), { manifest, table }, into)
  return into
}
