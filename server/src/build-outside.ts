import type { Config } from './config.ts'
import type { Clock } from './kernel/clock.ts'
import type { Sealer } from './kernel/sealing.ts'
import { createIamRoles } from './modules/iam/service.ts'
import { createExternalStore } from './modules/schema/catalogs/external-store.ts'
import { createOutside } from './modules/schema/catalogs/outside.ts'
import { createOutsideRequests } from './providers/bucket/outside-requests.ts'
import { createS3Buckets } from './providers/bucket/s3-buckets.ts'
import { createGlueKeeper } from './providers/glue/glue-keeper.ts'
import { createMetastoreKeeper } from './providers/hive-metastore/metastore-keeper.ts'
import { createHiveCatalogs } from './providers/hive/hive-catalogs.ts'
import { Memory } from './providers/iceberg/memory.ts'
import { createRestCatalogs } from './providers/iceberg/rest-catalogs.ts'
import { createStsRoles } from './providers/sts/sts-roles.ts'
import type { Store } from './store/store.ts'

interface OutsideParts {
  readonly store: Pick<Store, 'db'>
  readonly config: Pick<Config, 'catalogEndpoints' | 'aws' | 'glueUrl'>
  readonly sealer: Sealer
  readonly clock: Clock
}

/** Wires how the service reaches what catalogs are over; a part of `buildCatalog`. */
export function buildOutside({ store, config, sealer, clock }: OutsideParts) {
  const { aws, catalogEndpoints, glueUrl } = config
  const externalStore = createExternalStore(store.db)
  const requests = createOutsideRequests({ openEndpoints: catalogEndpoints })
  // The operator has named the address, so it may be one in a closed network; catalogs may not go there for that.
  const toSts = createOutsideRequests({ openEndpoints: aws?.stsUrl ? [new URL(aws.stsUrl).origin] : [] })
  const toGlue = createOutsideRequests({ openEndpoints: glueUrl ? [new URL(glueUrl).origin] : [] })
  const roles =
    aws &&
    createStsRoles({ requests: toSts, keys: { ...aws, sessionToken: '' }, endpoint: aws.stsUrl, clock })
  const iamRoles = createIamRoles({ db: store.db, roles, clock })
  const buckets = createS3Buckets({ requests, clock })
  const memory = new Memory()
  const outside = createOutside({
    store: externalStore,
    sealer,
    buckets,
    icebergs: createRestCatalogs({ requests, clock, memory }),
    hives: createHiveCatalogs({ buckets, clock, memory }),
    keepers: {
      glue: (storage) => createGlueKeeper(storage, { requests: toGlue, glueUrl, clock }),
      metastore: (hiveHost) => createMetastoreKeeper(hiveHost, { openEndpoints: catalogEndpoints }),
    },
    openEndpoints: catalogEndpoints,
    roleKeys: iamRoles.keysFor,
    clock,
  })
  return {
    externalStore,
    outside,
    forExternal: { store: externalStore, outside, openEndpoints: catalogEndpoints },
    iamRoles,
    close(): void {
      requests.close()
      toSts.close()
      toGlue.close()
    },
  }
}
