import type { Ground } from './build-ground.ts'
import type { Identity } from './build-identity.ts'
import type { BuildOptions } from './build-options.ts'
import type { QueryServices } from './build-queries.ts'
import { extensionsBeside, installedExtensions } from './extensions-directory.ts'
import type { ImplementedCall } from './kernel/implement.ts'
import { clusterCalls } from './modules/cluster/calls.ts'
import { createClusters } from './modules/cluster/service.ts'
import { diagnoseCalls } from './modules/diagnose/calls.ts'
import { createDiagnoses } from './modules/diagnose/service.ts'
import { metricCalls } from './modules/metrics/calls.ts'
import { createMetricSeries } from './modules/metrics/service.ts'
import { packageCalls } from './modules/pkg/calls.ts'
import { createPackages } from './modules/pkg/service.ts'
import { createStatementSeries } from './modules/query/history/series.ts'

interface InsightParts
  extends
    Pick<BuildOptions, 'version' | 'store' | 'engines' | 'clock'>,
    Pick<Ground, 'warehouses' | 'compute' | 'accountsDirectory' | 'endsWritten'> {
  readonly identity: Pick<Identity, 'storage'>
  readonly statements: Pick<QueryServices, 'history'>
  readonly mysqlEndpoint: () => { readonly listening: boolean; readonly port: number }
}

/** Wires what shows the state of the service and its warehouses: versions, nodes, series and bundles; a part of `build`. */
export function buildInsight(parts: InsightParts): ImplementedCall[] {
  const { version, store, engines, warehouses, compute, identity, statements, mysqlEndpoint, clock } = parts
  const { endsWritten } = parts
  const packages = createPackages({
    db: store.db,
    version,
    storeMode: store.mode,
    engines: [{ label: engines.label, version: engines.version }],
    extensions: () => installedExtensions(extensionsBeside(parts.accountsDirectory)),
    mysqlEndpoint,
  })
  const clusters = createClusters({ warehouses, compute })
  const series = createStatementSeries({ db: store.db, endsWritten })
  const { history } = statements
  return [
    ...packageCalls(packages),
    ...clusterCalls(clusters),
    ...metricCalls(createMetricSeries({ statements: series, warehouses, storage: identity.storage })),
    ...diagnoseCalls(createDiagnoses({ history, warehouses, clusters, packages, clock })),
  ]
}
