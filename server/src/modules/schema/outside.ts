import type { CatalogField } from '@boathouse/contract'
import type { Clock } from '../../kernel/clock.ts'
import { type Outside, OutsideRefused } from '../../kernel/outside.ts'
import type { Sealer } from '../../kernel/sealing.ts'
import type { BucketPlace, Buckets } from '../../providers/bucket/bucket.ts'
import type { ExternalStore } from './external-store.ts'
import { secretsPlace } from './secrets-place.ts'

export interface OutsideParts {
  readonly store: Pick<ExternalStore, 'findById'>
  readonly sealer: Pick<Sealer, 'open'>
  readonly buckets: Buckets
  readonly clock: Clock
}

/** What engines read of the world, each what its account has catalogs over. */
export interface OutsideOfAccounts {
  of(accountId: string): Outside
  /** Has it read as a catalog before it is kept, until what is given back is called. */
  lend(accountId: string, catalogId: string, fields: Fields): () => void
  /** It is no longer what it was. */
  forget(catalogId: string): void
}

type Fields = Readonly<Partial<Record<CatalogField, string>>>

/** How long it holds what is known of a catalog, so that not every part of a file asks the database. */
const KNOWN_MS = 5_000
const MOST_KNOWN = 1_000

const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

const placeOf = (fields: Fields): BucketPlace => ({
  endpoint: fields.s3Endpoint ?? '',
  bucket: fields.s3Bucket ?? '',
  prefix: fields.s3Prefix ?? '',
  region: fields.s3Region ?? '',
  accessKey: fields.accessKey ?? '',
  secretKey: fields.secretKey ?? '',
  sessionToken: fields.sessionToken ?? '',
})

interface Known {
  readonly accountId: string
  readonly place: BucketPlace
  readonly until: number
}

/**
 * The only way of engines to what lies outside. An engine names a catalog and a file in it; whether the catalog is of its
 * account, where that is and the keys to it are found here, and are told to nobody.
 */
export function createOutside({ store, sealer, buckets, clock }: OutsideParts): OutsideOfAccounts {
  const known = new Map<string, Known>()

  function remember(catalogId: string, one: Known): void {
    const [oldest] = known.keys()
    if (known.size >= MOST_KNOWN && oldest !== undefined) known.delete(oldest)
    known.set(catalogId, one)
  }

  async function placeOfCatalog(accountId: string, catalogId: string): Promise<BucketPlace> {
    const remembered = known.get(catalogId)
    const now = clock.now().getTime()
    if (remembered?.accountId === accountId && now < remembered.until) return remembered.place
    const row = ID.test(catalogId) ? await store.findById(accountId, catalogId) : undefined
    if (row?.metastore !== 'bucket') throw new OutsideRefused('missing', 'there is no such catalog')
    const secrets = JSON.parse(sealer.open(row.secrets, secretsPlace(catalogId))) as Fields
    const place = placeOf({ ...row.settings, ...secrets })
    remember(catalogId, { accountId, place, until: now + KNOWN_MS })
    return place
  }

  return {
    of: (accountId) => ({
      list: async (catalogId, after, stop) =>
        buckets.list(await placeOfCatalog(accountId, catalogId), after, stop),
      read: async (catalogId, wanted, stop) =>
        buckets.read(await placeOfCatalog(accountId, catalogId), wanted, stop),
    }),
    lend(accountId, catalogId, fields) {
      known.set(catalogId, { accountId, place: placeOf(fields), until: Number.POSITIVE_INFINITY })
      return () => void known.delete(catalogId)
    },
    forget: (catalogId) => void known.delete(catalogId),
  }
}
