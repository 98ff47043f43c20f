import { createLiveRequests, type LiveRequestsParts } from './accepting/live-requests.ts'
import { createAnsweredBefore, type AnsweredBeforeParts } from './answers/answered-before.ts'
import { type ClientConnectionParts, createClientConnections } from './connections/client-connections.ts'
import { type ConnectionCallParts, createConnectionCalls } from './connections/connection-calls.ts'
import { createOpenClients } from './connections/open-clients.ts'
import { createHousekeeping, type HousekeepingParts } from './housekeeping.ts'
import { createRequests } from './requests.ts'
import { createRunningStatements } from './running-statements.ts'

/** What the query service is made of; each of its parts says what it takes. */
export type QueryParts = LiveRequestsParts &
  AnsweredBeforeParts &
  HousekeepingParts &
  Omit<ConnectionCallParts, 'clients'> &
  Omit<ClientConnectionParts, 'live' | 'calls' | 'clients'>

/** From a text to its result: connections, requests with an id in front of them, and what runs now. */
export function createQueries(parts: QueryParts) {
  const live = createLiveRequests(parts)
  const answered = createAnsweredBefore(parts)
  const clients = createOpenClients()
  const calls = createConnectionCalls({ ...parts, clients })
  const connections = createClientConnections({ ...parts, live, calls, clients })
  const { store, privileges } = parts
  return {
    ...createRequests({ live, answered, store, privileges }),
    ...createRunningStatements(live),
    ...createHousekeeping(parts),
    ...calls,
    connections,
    /** Stops everything that runs; resolves when the last end is written. */
    close: () => live.close(),
  }
}

export type Queries = ReturnType<typeof createQueries>
