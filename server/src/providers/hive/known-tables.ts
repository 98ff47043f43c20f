import type { Clock } from '../../kernel/clock.ts'
import type { IcebergTable } from '../../kernel/iceberg.ts'
import { OutsideRefused, type OutsideTable } from '../../kernel/outside.ts'
import type { BucketPlace, Buckets } from '../bucket/bucket.ts'
import type { Memory } from '../iceberg/memory.ts'
import type { TableStorage } from './hive-catalog.ts'
import { readMetadata } from './iceberg-metadata.ts'
import { ASKED_AT_ONCE, type KnownNames, type KnownTable, knownTable, orderOf, readNames } from './names.ts'
import { foldersOf, nameOf, type TableFolders } from './partitions.ts'
import { Remembered } from './remembered.ts'
import type { Folder } from './table-content.ts'
import { NotAccepted, type TableKeeper, type TableName } from './table-keeper.ts'

/** Within this time, callers get what is remembered. */
export const FRESH_MS = 5_000
/** In the middle of a walk through pages it is what the walk began with. */
export const WALK_MS = 4 * FRESH_MS

export interface CatalogParts {
  readonly keeper: TableKeeper
  readonly storage: TableStorage
  readonly buckets: Buckets
  readonly memory: Memory
  readonly clock: Clock
}

export const missing = (): OutsideRefused => new OutsideRefused('missing', 'the catalog has no such file')

/** What is known of one catalog: asked for when it is not, or not well enough. */
export function createKnownTables({ keeper, storage, buckets, memory, clock }: CatalogParts) {
  const { longestAnswer } = keeper
  const now = () => clock.now().getTime()
  const names = new Remembered<KnownNames>(memory, now)
  const single = new Remembered<KnownTable>(memory, now)
  const folders = new Remembered<TableFolders>(memory, now)
  const metadata = new Remembered<IcebergTable | string>(memory, now)

  const bucketPlace = async (bucket: string): Promise<BucketPlace> => ({
    endpoint: storage.endpoint,
    region: storage.region,
    bucket,
    prefix: '',
    ...(await storage.keys()),
  })

  const namesNow = (goodForMs: number, stop: AbortSignal): Promise<KnownNames> =>
    names.value('', goodForMs, () =>
      memory.during(ASKED_AT_ONCE * longestAnswer, stop, () => readNames(keeper, stop)),
    )

  async function find({ database, name }: TableName, stop: AbortSignal): Promise<KnownTable> {
    const known = names.known('')?.tables.find((table) => table.database === database && table.name === name)
    if (known) return known
    return single.value(orderOf({ database, name }), WALK_MS, async () =>
      knownTable(database, await keeper.table({ database, name }, stop), keeper),
    )
  }

  const foldersNow = (table: KnownTable, goodForMs: number, stop: AbortSignal): Promise<TableFolders> =>
    folders.value(orderOf(table), goodForMs, () => {
      if (typeof table.content === 'string' || table.content.kind !== 'files') throw missing()
      const { home, content } = table.content
      const of = { ...table, home, partitionColumns: content.partitionColumns }
      return memory.during(longestAnswer, stop, () => foldersOf(of, keeper, stop))
    })

  /** A file of metadata never changes. */
  const icebergOf = (file: Folder, stop: AbortSignal) =>
    metadata.value(nameOf(file), Number.POSITIVE_INFINITY, () =>
      memory.during(longestAnswer, stop, async () =>
        readMetadata(buckets, { place: await bucketPlace(file.bucket), key: file.path }, stop),
      ),
    )

  async function tableNow({ database, name, content }: KnownTable, stop: AbortSignal): Promise<OutsideTable> {
    if (typeof content === 'string') return { database, name, content }
    if (content.kind === 'files') return { database, name, content: content.content }
    try {
      return { database, name, content: await icebergOf(content.metadata, stop) }
    } catch (error) {
      const isOfTable = error instanceof OutsideRefused && !(error instanceof NotAccepted)
      if (!isOfTable || stop.aborted) throw error
      return { database, name, content: `its Iceberg metadata cannot be read: ${error.message}` }
    }
  }

  return { bucketPlace, namesNow, find, foldersNow, icebergOf, tableNow }
}
