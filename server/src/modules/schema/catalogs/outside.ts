import type { CatalogField, NewCatalog } from '@boathouse/contract'
import type { Clock } from '../../../kernel/clock.ts'
import { type ObjectPage, type Outside, OutsideRefused } from '../../../kernel/outside.ts'
import type { Sealer } from '../../../kernel/sealing.ts'
import type { BucketPlace, Buckets } from '../../../providers/bucket/bucket.ts'
import type { HiveCatalog, HiveCatalogs, TableStorage } from '../../../providers/hive/hive-catalog.ts'
import type { TableKeeper } from '../../../providers/hive/table-keeper.ts'
import type {
  AskedMetadata,
  IcebergCatalog,
  IcebergCatalogs,
  IcebergPlace,
} from '../../../providers/iceberg/iceberg-catalog.ts'
import type { ExternalStore } from './external-store.ts'
import { secretsPlace } from './secrets-place.ts'

export interface OutsideParts {
  readonly store: Pick<ExternalStore, 'findById'>
  readonly sealer: Pick<Sealer, 'open'>
  readonly buckets: Buckets
  readonly icebergs: IcebergCatalogs
  readonly hives: HiveCatalogs
  /** By which AWS Glue, or a Hive metastore, is asked for tables. */
  readonly keepers: TableKeepers
  /** Addresses that the operator has allowed catalogs to reach. */
  readonly openEndpoints: readonly string[]
  /** Of a role that the account has registered. Rejects with an `OutsideRefused`. */
  readonly roleKeys: (accountId: string, role: NamedRole) => Promise<Keys>
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

interface TableKeepers {
  glue(storage: TableStorage): TableKeeper
  /** A host, with a port or without. */
  metastore(hiveHost: string): TableKeeper
}

/** As a catalog names it. */
interface NamedRole {
  readonly roleArn: string
  /** Empty: that of the account. */
  readonly externalId: string
}

/** Without the region, which is that of the bucket. */
type Keys = Pick<BucketPlace, 'accessKey' | 'secretKey' | 'sessionToken'>

type Fields = Readonly<Partial<Record<CatalogField | 'access', string>>>

/** How long it holds what is known of a catalog, so that not every part of a file asks the database. */
const KNOWN_MS = 5_000
const MOST_KNOWN = 1_000

const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

const bucketOf = (fields: Fields): BucketPlace => ({
  endpoint: fields.s3Endpoint ?? '',
  bucket: fields.s3Bucket ?? '',
  prefix: fields.s3Prefix ?? '',
  region: fields.s3Region ?? '',
  accessKey: fields.accessKey ?? '',
  secretKey: fields.secretKey ?? '',
  sessionToken: fields.sessionToken ?? '',
})

const icebergOf = (fields: Fields): IcebergPlace => ({
  url: fields.tabularUrl ?? '',
  warehouse: fields.tabularWarehouse ?? '',
  credential: fields.oauthCredential ?? '',
  oauthUrl: fields.oauthUrl ?? '',
  oauthScope: fields.oauthScope ?? '',
  endpoint: fields.s3Endpoint ?? '',
  region: fields.s3Region ?? '',
  keys:
    fields.access === 'vended'
      ? null
      : { accessKey: fields.accessKey ?? '', secretKey: fields.secretKey ?? '' },
})

/** Where Unity Catalog speaks Iceberg REST. */
const UNITY_PATH = '/api/2.1/unity-catalog/iceberg-rest'

const unityOf = (fields: Fields, openEndpoints: readonly string[]): IcebergPlace => {
  const host = fields.databricksHost ?? ''
  // Without TLS only where the operator says so.
  const origin = [`https://${host}`, `http://${host}`].find((one) => openEndpoints.includes(one))
  return {
    ...icebergOf(fields),
    url: `${origin ?? `https://${host}`}${UNITY_PATH}`,
    warehouse: fields.unityCatalogName ?? '',
    credential: fields.databricksToken ?? '',
  }
}

type Place =
  | { readonly kind: 'bucket'; readonly bucket: BucketPlace }
  | {
      readonly kind: 'iceberg'
      readonly at: string
      readonly iceberg: IcebergCatalog
      readonly keys: IcebergPlace['keys']
    }
  | { readonly kind: 'hive'; readonly at: string; readonly hive: HiveCatalog }

interface Known {
  readonly accountId: string
  readonly place: Place
  /** By which its files are reached; null: by keys. */
  readonly role: NamedRole | null
  readonly until: number
}

const roleIn = ({ access, roleArn = '', externalId = '' }: Fields): NamedRole | null =>
  access === 'role' ? { roleArn, externalId } : null

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
  const { store, sealer, buckets, icebergs, hives, keepers, openEndpoints, roleKeys, clock } = parts
  const known = new Map<string, Known>()

  function remember(catalogId: string, one: Known): void {
    const [oldest] = known.keys()
    if (known.size >= MOST_KNOWN && oldest !== undefined) known.delete(oldest)
    known.set(catalogId, one)
  }

  /** What is remembered of a server holds for as long as the catalog is the same. */
  function placeOf(
    { accountId, metastore }: { readonly accountId: string; readonly metastore: string },
    fields: Fields,
    before: Place | undefined,
  ): Place {
    if (metastore === 'bucket') return { kind: 'bucket', bucket: bucketOf(fields) }
    if (metastore === 'glue' || metastore === 'hive')
      return hivePlace({ accountId, metastore }, fields, before)
    const place = metastore === 'databricks' ? unityOf(fields, openEndpoints) : icebergOf(fields)
    const at = JSON.stringify(place)
    if (before?.kind === 'iceberg' && before.at === at) return before
    return { kind: 'iceberg', at, iceberg: icebergs.open(place), keys: place.keys }
  }

  function hivePlace(
    { accountId, metastore }: { readonly accountId: string; readonly metastore: string },
    fields: Fields,
    before: Place | undefined,
  ): Place {
    const { s3Endpoint: endpoint = '', s3Region: region = '', accessKey = '', secretKey = '' } = fields
    const { hiveHost = '' } = fields
    const role = roleIn(fields)
    const at = JSON.stringify({
      accountId,
      metastore,
      hiveHost,
      endpoint,
      region,
      accessKey,
      secretKey,
      role,
    })
    if (before?.kind === 'hive' && before.at === at) return before
    // Whether the role is still registered is looked at each time.
    const keys = async () => (role ? roleKeys(accountId, role) : { accessKey, secretKey, sessionToken: '' })
    const storage = { region, endpoint, keys }
    const keeper = metastore === 'glue' ? keepers.glue(storage) : keepers.metastore(hiveHost)
    return { kind: 'hive', at, hive: hives.open(keeper, storage) }
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
      const place = placeOf({ accountId, metastore: draft.metastoreType }, draft, undefined)
      known.set(catalogId, { accountId, place, role: roleIn(draft), until: Number.POSITIVE_INFINITY })
      return () => void known.delete(catalogId)
    },
    forget: (catalogId) => void known.delete(catalogId),
  }
}
