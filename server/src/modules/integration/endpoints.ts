import type { Endpoints, IngestAddress, QueryEndpoint } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'

/** Without what an account has of its own. */
type OpenQueryEndpoint = Omit<QueryEndpoint, 'privateEndpoints' | 'privateAddress'>

interface Listener {
  readonly host: string
  readonly port: number
}

export interface EndpointParts {
  /** Templates, in which `{region}` is the region of an account. */
  readonly hosts: Readonly<Record<'ingest' | 'privateIngest' | 'privateMysql', string | undefined>>
  readonly publicUrl: () => string
  readonly queryEndpoint: () => OpenQueryEndpoint
  /** What listens for clients of private links; null: nothing. */
  readonly privateListeners: Readonly<Record<'http' | 'mysql', () => Listener | null>>
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

/** It listens on all addresses of the machine, none of which is known to be the one in the private network. */
const ANY: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

const named = (listener: Listener | null): Listener | null =>
  listener && !ANY.has(listener.host) ? listener : null

type PrivateWay = Pick<QueryEndpoint, 'privateEndpoints' | 'privateAddress'>

/** Only what really leads here: a private host is named when the account has an approved endpoint for it. */
export function createEndpoints(parts: EndpointParts) {
  const { hosts, publicUrl, queryEndpoint, approved, privateListeners } = parts

  async function privateWay({ accountId, region }: Pick<Actor, 'accountId' | 'region'>): Promise<PrivateWay> {
    const privateEndpoints = await approved.sql(accountId)
    if (privateEndpoints.length === 0) return { privateEndpoints, privateAddress: null }
    const listener = privateListeners.mysql()
    const port = listener?.port ?? queryEndpoint().port
    const { privateMysql } = hosts
    const privateAddress = privateMysql ? { host: inRegion(privateMysql, region), port } : named(listener)
    return { privateEndpoints, privateAddress }
  }

  async function privateIngest({ accountId, region }: Actor): Promise<IngestAddress | null> {
    if ((await approved.streaming(accountId)).length === 0) return null
    if (hosts.privateIngest) return overHttps(hosts.privateIngest, region)
    const listener = named(privateListeners.http())
    return listener && { scheme: 'http', ...listener }
  }

  return {
    /** How clients of private links reach the queries of an account. */
    privateWay,

    async of(actor: Actor): Promise<Endpoints> {
      const { region } = actor
      const way = await privateWay(actor)
      return {
        region,
        query: { ...queryEndpoint(), ...way },
        privateQueryHost: way.privateAddress?.host ?? null,
        privateQueryPort: way.privateAddress?.port ?? null,
        ingest: hosts.ingest ? overHttps(hosts.ingest, region) : ownAddress(publicUrl()),
        privateIngest: await privateIngest(actor),
      }
    },
  }
}
