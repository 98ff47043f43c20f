import type { Endpoints, IngestAddress, QueryEndpoint } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'

export interface EndpointParts {
  /** Templates, in which `{region}` is the region of an account. */
  readonly hosts: Readonly<Record<'ingest' | 'privateIngest' | 'privateMysql', string | undefined>>
  readonly publicUrl: () => string
  readonly queryEndpoint: () => Omit<QueryEndpoint, 'privateEndpoints'>
  /** IDs of endpoints of the account that were approved. */
  readonly approved: Readonly<Record<'sql' | 'streaming', (accountId: string) => Promise<string[]>>>
}

const HTTPS_PORT = 443

const inRegion = (template: string, region: string): string => template.replaceAll('{region}', region)

const overHttps = (template: string, region: string): IngestAddress => ({
  scheme: 'https',
  host: inRegion(template, region),
  port: HTTPS_PORT,
})

/** As people reach this server, when the operator has named no host for data. */
function ownAddress(publicUrl: string): IngestAddress {
  const { protocol, hostname, port } = new URL(publicUrl)
  const scheme = protocol === 'https:' ? 'https' : 'http'
  return { scheme, host: hostname, port: Number(port) || (scheme === 'https' ? HTTPS_PORT : 80) }
}

/** Only what really leads here: a private host is named when the account has an approved endpoint for it. */
export const createEndpoints =
  ({ hosts, publicUrl, queryEndpoint, approved }: EndpointParts) =>
  async ({ accountId, region }: Actor): Promise<Endpoints> => {
    const [privateEndpoints, streaming] = await Promise.all([
      approved.sql(accountId),
      approved.streaming(accountId),
    ])
    const { ingest, privateIngest, privateMysql } = hosts
    return {
      region,
      query: { ...queryEndpoint(), privateEndpoints },
      privateQueryHost: privateMysql && privateEndpoints.length > 0 ? inRegion(privateMysql, region) : null,
      ingest: ingest ? overHttps(ingest, region) : ownAddress(publicUrl()),
      privateIngest: privateIngest && streaming.length > 0 ? overHttps(privateIngest, region) : null,
    }
  }
