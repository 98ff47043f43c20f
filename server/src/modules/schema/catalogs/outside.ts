import type { NewCatalog } from '@boathouse/contract'
import type { Clock } from '../../../kernel/clock.ts'
import { type ObjectPage, type Outside, OutsideRefused } from '../../../kernel/outside.ts'
import type { Sealer } from '../../../kernel/sealing.ts'
import type { BucketPlace, Buckets } from '../../../providers/bucket/bucket.ts'
import type { AskedMetadata } from '../../../providers/iceberg/iceberg-catalog.ts'
import type { ExternalStore } from './external-store.ts'
import {
  createPlaces,
  type Fields,
  type NamedRole,
  type Place,
  type PlaceParts,
  roleIn,
} from './outside-places.ts'
import { secretsPlace } from './secrets-place.ts'

export interface OutsideParts extends PlaceParts {
  readonly store: Pick<ExternalStore, 'findById'>
  readonly sealer: Pick<Sealer, 'open'>
  readonly buckets: Buckets
  readonly clock: Clock
}

/** What engines read of the world, each what its account has catalogs over. */
export interface OutsideOfAccounts {
  of(accountId: string): Outside
  /** What a server that speaks Iceberg REST says to a cluster of the account, which reads its files itself. */
  metadata(
    accountId: string,
    asked: { readonly catalogId: string; readonly metadata: AskedMetadata },
    stop: AbortSignal,
  ): Promise<string>
  /** Of the catalog's own access key, for the same; null where each table has its own. */
  secretKey(accountId: string, catalogId: string): Promise<string | null>
  /** Of a catalog over a bucket, what lies in a folder of it, by the names that it has below that; page by page. */
  listBelow(
    accountId: string,
    asked: { readonly catalogId: string; readonly below: string; readonly after: string | null },
    stop: AbortSignal,
  ): Promise<ObjectPage>
  /** Has it read as a catalog before it is kept, until what is given back is called. */
  lend(accountId: string, catalogId: string, draft: NewCatalog): () => void
  /** It is no longer what it was. */
  forget(catalogId: string): void
}

/** How long it holds what is known of a catalog, so that not every part of a file asks the database. */
const KNOWN_MS = 5_000
const MOST_KNOWN = 1_000

const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

interface Known {
  readonly accountId: string
  readonly place: Place
  /** By which its files are reached; null: by keys. */
  readonly role: NamedRole | null
  readonly until: number
}

/** Kinds of catalogs that are read by way of this. */
const READ: ReadonlySet<string> = new Set(['bucket', 'tabular', 'databricks', 'glue', 'hive'])

const noSuchCatalog = (): OutsideRefused => new OutsideRefused('missing', 'there is no such catalog')

/** What clusters ask for, which read files themselves. */
const forClusters = (
  find: (accountId: string, catalogId: string) => Promise<Known>,
  roleKeys: OutsideParts['roleKeys'],
): Pick<OutsideOfAccounts, 'metadata' | 'secretKey'> => ({
  async metadata(accountId, { catalogId, metadata }, stop) {
    const { place, role } = await find(accountId, catalogId)
    if (place.kind !== 'iceberg') throw noSuchCatalog()
    const keys = role !== null && metadata.of === 'table' ? await roleKeys(accountId, role) : null
    return place.iceberg.metadata(metadata, keys, stop)
  },
  async secretKey(accountId, catalogId) {
    const { place, role } = await find(accountId, catalogId)
    if (place.kind !== 'iceberg') throw noSuchCatalog()
    return role === null ? (place.keys?.secretKey ?? null) : null
  },
})

/**
 * The only way of engines to what lies outside. An engine names a catalog and a file in it; whether the catalog is of its
 * account, where that is and the keys to it are found here, and leave the server never.
 */
export function createOutside(parts: OutsideParts): OutsideOfAccounts {
  const { store, sealer, buckets, roleKeys, clock } = parts
  const placeOf = createPlaces(parts)
  const known = new Map<string, Known>()

  function remember(catalogId: string, one: Known): void {
    const [oldest] = known.keys()
    if (known.size >= MOST_KNOWN && oldest !== undefined) known.delete(oldest)
    known.set(catalogId, one)
  }

  async function find(accountId: string, catalogId: string): Promise<Known> {
    const remembered = known.get(catalogId)
    const isOurs = remembered?.accountId === accountId
    const now = clock.now().getTime()
    if (isOurs && now < remembered.until) return remembered
    const row = ID.test(catalogId) ? await store.findById(accountId, catalogId) : undefined
    if (!row || !READ.has(row.metastore)) throw noSuchCatalog()
    const secrets = JSON.parse(sealer.open(row.secrets, secretsPlace(catalogId))) as Fields
    const fields = { ...(row.settings as Fields), ...secrets }
    const { metastore } = row
    const place = placeOf({ accountId, metastore }, fields, isOurs ? remembered.place : undefined)
    const one = { accountId, place, role: roleIn(fields), until: now + KNOWN_MS }
    remember(catalogId, one)
    return one
  }

  const withKeys = async (bucket: BucketPlace, { accountId, role }: Known): Promise<BucketPlace> => {
    if (role === null) return bucket
    const { accessKey, secretKey, sessionToken } = await roleKeys(accountId, role)
    return { ...bucket, accessKey, secretKey, sessionToken }
  }

  return {
    of: (accountId) => ({
      async list(catalogId, after, stop) {
        const one = await find(accountId, catalogId)
        if (one.place.kind !== 'bucket') throw noSuchCatalog()
        return buckets.list(await withKeys(one.place.bucket, one), after, stop)
      },
      async tables(catalogId, after, stop) {
        const { place } = await find(accountId, catalogId)
        if (place.kind === 'hive') return place.hive.tables(after, stop)
        if (place.kind === 'iceberg') return place.iceberg.tables(after, stop)
        throw noSuchCatalog()
      },
      async files(catalogId, asked, stop) {
        const { place } = await find(accountId, catalogId)
        if (place.kind !== 'hive') throw noSuchCatalog()
        return place.hive.files(asked, stop)
      },
      async read(catalogId, wanted, stop) {
        const one = await find(accountId, catalogId)
        const { place } = one
        if (place.kind === 'bucket') return buckets.read(await withKeys(place.bucket, one), wanted, stop)
        if (place.kind === 'hive') {
          const file = await place.hive.fileOf(wanted.key, stop)
          return buckets.read(file.place, { ...wanted, key: file.key }, stop)
        }
        const file = await place.iceberg.fileOf(wanted.key, stop)
        return buckets.read(await withKeys(file.place, one), { ...wanted, key: file.key }, stop)
      },
    }),
    ...forClusters(find, roleKeys),
    async listBelow(accountId, { catalogId, below, after }, stop) {
      const one = await find(accountId, catalogId)
      if (one.place.kind !== 'bucket') throw noSuchCatalog()
      const bucket = await withKeys(one.place.bucket, one)
      const prefix = [bucket.prefix, below].filter((part) => part !== '').join('/')
      return buckets.list({ ...bucket, prefix }, after, stop)
    },
    lend(accountId, catalogId, draft) {
      const place = placeOf({ accountId, metastore: draft.metastoreType }, draft)
      known.set(catalogId, { accountId, place, role: roleIn(draft), until: Number.POSITIVE_INFINITY })
      return () => void known.delete(catalogId)
    },
    forget: (catalogId) => void known.delete(catalogId),
  }
}
