import { type Endpoints, integration } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { implement } from '../../kernel/implement.ts'
import type { Connections } from './connections.ts'
import type { IntegrationRequests } from './service.ts'

export interface IntegrationParts {
  readonly requests: Pick<IntegrationRequests, 'create' | 'own'>
  readonly connections: Connections
  readonly endpoints: (actor: Actor) => Promise<Endpoints>
}

export const integrationCalls = ({ requests, connections, endpoints }: IntegrationParts) =>
  implement(integration, {
    endpoints: ({ actor }) => endpoints(actor),
    connections: async ({ actor }, { since }) => connections.since(actor, since),
    request: ({ actor }, draft) => requests.create(actor, draft),
    ownRequests: async ({ actor }) => ({ requests: await requests.own(actor) }),
  })
