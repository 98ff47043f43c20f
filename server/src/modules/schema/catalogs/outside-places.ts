import type { CatalogField } from '@boathouse/contract'
import type { BucketPlace } from '../../../providers/bucket/bucket.ts'
import type { HiveCatalog, HiveCatalogs, TableStorage } from '../../../providers/hive/hive-catalog.ts'
import type { TableKeeper } from '../../../providers/hive/table-keeper.ts'
import type {
  IcebergCatalog,
  IcebergCatalogs,
  IcebergPlace,
} from '../../../providers/iceberg/iceberg-catalog.ts'

export interface PlaceParts {
  readonly icebergs: IcebergCatalogs
  readonly hives: HiveCatalogs
  /** By which AWS Glue, or a Hive metastore, is asked for tables. */
  readonly keepers: TableKeepers
  /** Addresses that the operator has allowed catalogs to reach. */
  readonly openEndpoints: readonly string[]
  /** Of a role that the account has registered. Rejects with an `OutsideRefused`. */
  readonly roleKeys: (accountId: string, role: NamedRole) => Promise<Keys>
}

interface TableKeepers {
  glue(storage: TableStorage): TableKeeper
  /** A host, with a port or without. */
  metastore(hiveHost: string): TableKeeper
}

/** As a catalog names it. */
export interface NamedRole {
  readonly roleArn: string
  /** Empty: that of the account. */
  readonly externalId: string
}

/** Without the region, which is that of the bucket. */
type Keys = Pick<BucketPlace, 'accessKey' | 'secretKey' | 'sessionToken'>

export type Fields = Readonly<Partial<Record<CatalogField | 'access', string>>>

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

export type Place =
  | { readonly kind: 'bucket'; readonly bucket: BucketPlace }
  | {
      readonly kind: 'iceberg'
      readonly at: string
      readonly iceberg: IcebergCatalog
      readonly keys: IcebergPlace['keys']
    }
  | { readonly kind: 'hive'; readonly at: string; readonly hive: HiveCatalog }

export const roleIn = ({ access, roleArn = '', externalId = '' }: Fields): NamedRole | null =>
  access === 'role' ? { roleArn, externalId } : null

interface OfCatalog {
  readonly accountId: string
  readonly metastore: string
}

/** Where a catalog is, and who is asked about it. */
export function createPlaces({ icebergs, hives, keepers, openEndpoints, roleKeys }: PlaceParts) {
  function hivePlace({ accountId, metastore }: OfCatalog, fields: Fields, before?: Place): Place {
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
  /** What is remembered of a server holds for as long as the catalog is the same. */
  return function placeOf({ accountId, metastore }: OfCatalog, fields: Fields, before?: Place): Place {
    if (metastore === 'bucket') return { kind: 'bucket', bucket: bucketOf(fields) }
    if (metastore === 'glue' || metastore === 'hive')
      return hivePlace({ accountId, metastore }, fields, before)
    const place = metastore === 'databricks' ? unityOf(fields, openEndpoints) : icebergOf(fields)
    const at = JSON.stringify(place)
    if (before?.kind === 'iceberg' && before.at === at) return before
    return { kind: 'iceberg', at, iceberg: icebergs.open(place), keys: place.keys }
  }
}
