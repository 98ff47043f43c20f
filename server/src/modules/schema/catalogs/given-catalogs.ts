import { type Metastore, METASTORE_NAMES } from '@boathouse/contract'
import type { GivenCatalog } from '../../../kernel/outside.ts'
import type { ExternalCatalogRow } from './external-store.ts'

/** Those whose tables clusters read. */
const READ_BY_CLUSTERS: ReadonlySet<Metastore> = new Set(['tabular', 'databricks'])

export const isForClusters = (metastore: string): boolean => READ_BY_CLUSTERS.has(metastore as Metastore)

/**
 * Clusters reach storage themselves, and find addresses by names a moment later than anybody who looked at them: so they
 * are given no endpoint that might lead somewhere else then.
 */
function whyNotAt(endpoint: string, openEndpoints: readonly string[]): string | null {
  if (endpoint === '' || openEndpoints.includes(new URL(endpoint).origin)) return null
  return `clusters read files in AWS and at endpoints that the operator has allowed. Ask the operator to add ${endpoint} to BOATHOUSE_CATALOG_ENDPOINTS.`
}

const whyNotOf = (metastore: string): string =>
  `it is of the type ${METASTORE_NAMES[metastore as Metastore]}, which only warehouses of the embedded engine read. Choose one of these with SET WAREHOUSE.`

/** As clusters of its account have it. */
export function givenCatalogOf(
  { catalog_id: id, name, metastore, settings }: ExternalCatalogRow,
  openEndpoints: readonly string[],
): GivenCatalog {
  const { s3Endpoint: endpoint = '', s3Region: region = '', access, accessKey = '' } = settings
  const whyNot = isForClusters(metastore) ? whyNotAt(endpoint, openEndpoints) : whyNotOf(metastore)
  return { id, name, region, endpoint, accessKey: access === 'key' ? accessKey : null, whyNot }
}
