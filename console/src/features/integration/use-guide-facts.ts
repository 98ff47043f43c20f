import type { GuideFacts, IntegrationGuide } from '@boathouse/contract/integration-guide'
import { type Endpoints, integration } from '@boathouse/contract/integration'
import { DEFAULT_CATALOG, DEFAULT_DATABASE } from '@boathouse/contract/schema'
import type { UserInfo } from '@boathouse/contract/user'
import { useState } from 'react'
import { useCall } from '../../lib/api.ts'

export const NETWORKS = ['public', 'private'] as const
type Network = (typeof NETWORKS)[number]

/** What the reader chooses, so that commands fit. */
export interface Chosen {
  readonly network: Network
  readonly databaseName: string
  readonly table: string
  readonly warehouse: string
}

const FIRST: Chosen = {
  network: 'public',
  databaseName: DEFAULT_DATABASE,
  table: 'boats',
  warehouse: 'default_warehouse',
}

/** How soon an endpoint that is starting is looked at again. */
const STARTING_MS = 2_000

/** A server on all addresses of its machine does not know which one others reach; this page came from one. */
const reached = (host: string): string =>
  ['', 'localhost', '0.0.0.0'].includes(host) ? window.location.hostname : host

function hasPrivate({ door }: IntegrationGuide, { privateIngest, privateQueryHost }: Endpoints): boolean {
  // Agents come to the same address as this page.
  if (door === 'mcp') return false
  return (door === 'ingest' ? privateIngest : privateQueryHost) !== null
}

function factsOf(endpoints: Endpoints, chosen: Chosen, user: UserInfo): GuideFacts {
  const { query, ingest, privateIngest, privateQueryHost, privateQueryPort } = endpoints
  const isPrivate = chosen.network === 'private'
  const address = (isPrivate && privateIngest) || { ...ingest, host: reached(ingest.host) }
  return {
    ...chosen,
    account: user.accountId,
    userName: user.user,
    host: (isPrivate && privateQueryHost) || reached(query.host),
    port: (isPrivate && privateQueryPort) || query.port,
    ownCertificate: query.ownCertificate,
    catalog: DEFAULT_CATALOG,
    origin: window.location.origin,
    ingest: address,
  }
}

/** What a guide is filled with, as the service and the reader say. */
export function useGuideFacts(guide: IntegrationGuide, user: UserInfo) {
  const [chosen, setChosen] = useState(FIRST)
  const { data: endpoints } = useCall(
    integration.endpoints,
    {},
    { refetchInterval: ({ state }) => (state.data?.query.absence === 'starting' ? STARTING_MS : false) },
  )
  return {
    endpoints,
    chosen,
    hasPrivate: endpoints !== undefined && hasPrivate(guide, endpoints),
    facts: endpoints && factsOf(endpoints, chosen, user),
    choose: (change: Partial<Chosen>) => setChosen((before) => ({ ...before, ...change })),
  }
}
