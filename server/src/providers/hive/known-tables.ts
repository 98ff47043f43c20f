import type { IcebergTable } from '../../kernel/iceberg.ts'
import { OutsideRefused, type OutsideTable } from '../../kernel/outside.ts'
import type { BucketPlace, Buckets } from '../bucket/bucket.ts'
import type { Memory } from '../iceberg/memory.ts'
import { OneTable } from './glue-answers.ts'
import type { GluePlace } from './glue-catalog.ts'
import { createGlueClient, type GlueParts, LONGEST_ANSWER } from './glue-client.ts'
import { readMetadata } from './iceberg-metadata.ts'
import { ASKED_AT_ONCE, glueTable, type GlueNames, type GlueTable, orderOf, readNames } from './names.ts'
import { foldersOf, nameOf, type TableFolders } from './partitions.ts'
import { NotAccepted } from './refusals.ts'
import { Remembered } from './remembered.ts'
import type { Folder } from './table-content.ts'

/** Within this time, callers get what is remembered. */
export const FRESH_MS = 5_000
/** In the middle of a walk through pages it is what the walk began with. */
export const WALK_MS = 4 * FRESH_MS

export interface CatalogParts extends GlueParts {
  readonly buckets: Buckets
  readonly memory: Memory
}

export const missing = (): OutsideRefused => new OutsideRefused('missing', 'the catalog has no such file')

/** What is known of one catalog: asked for when it is not, or not well enough. */
export function createKnownTables(place: GluePlace, parts: CatalogParts) {
  const { buckets, memory, clock } = parts
  const client = createGlueClient(place, parts)
  const now = () => clock.now().getTime()
  const names = new Remembered<GlueNames>(memory, now)
  const single = new Remembered<GlueTable>(memory, now)
  const folders = new Remembered<TableFolders>(memory, now)
  const metadata = new Remembered<IcebergTable | string>(memory, now)

  const bucketPlace = async (bucket: string): Promise<BucketPlace> => ({
    endpoint: place.endpoint,
    region: place.region,
    bucket,
    prefix: '',
    ...(await place.keys()),
  })

  const namesNow = (goodForMs: number, stop: AbortSignal): Promise<GlueNames> =>
    names.value('', goodForMs, () =>
      memory.during(ASKED_AT_ONCE * LONGEST_ANSWER, stop, () => readNames(client, place.region, stop)),
    )

  async function find({ database, name }: Pick<GlueTable, 'database' | 'name'>, stop: AbortSignal) {
    const known = names.known('')?.tables.find((table) => table.database === database && table.name === name)
    if (known) return known
    const asked = { DatabaseName: database, Name: name }
    return single.value(orderOf({ database, name }), WALK_MS, async () =>
      glueTable(database, (await client.ask({ action: 'GetTable', input: asked }, OneTable, stop)).Table),
    )
  }

  const foldersNow = (table: GlueTable, goodForMs: number, stop: AbortSignal): Promise<TableFolders> =>
    folders.value(orderOf(table), goodForMs, () => {
      if (typeof table.content === 'string' || table.content.kind !== 'files') throw missing()
      const { home, content } = table.content
      const of = { ...table, home, partitionColumns: content.partitionColumns }
      return memory.during(LONGEST_ANSWER, stop, () => foldersOf(of, client, stop))
    })

  /** A file of metadata never changes. */
  const icebergOf = (file: Folder, stop: AbortSignal) =>
    metadata.value(nameOf(file), Number.POSITIVE_INFINITY, () =>
      memory.during(LONGEST_ANSWER, stop, async () =>
        readMetadata(buckets, { place: await bucketPlace(file.bucket), key: file.path }, stop),
      ),
    )

  async function tableNow({ database, name, content }: GlueTable, stop: AbortSignal): Promise<OutsideTable> {
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
