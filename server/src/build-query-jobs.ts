import type { GlobalEvent } from '@boathouse/contract'
import type { ComputeService } from './compute/compute.ts'
import type { Job } from './jobs/jobs.ts'
import type { Events } from './kernel/events.ts'
import { type createOldEffects, OLD_EFFECTS_LOOK_MS } from './modules/query/history/old-effects.ts'
import type { Downloads } from './modules/query/results/downloads.ts'
import { LOOK_MS } from './modules/query/results/result-retention.ts'
import type { Results } from './modules/query/results/results.ts'
import type { Effects } from './modules/query/running/effects.ts'
import type { Queries } from './modules/query/service.ts'
import type { Warehouses } from './modules/warehouse/service.ts'

export interface QueryJobParts {
  readonly warehouses: Warehouses
  readonly compute: ComputeService
  readonly effects: Effects
  readonly room: { endUnusedReaders(): Promise<unknown> }
  readonly results: Results
  readonly downloads: Downloads
  readonly queries: Queries
  readonly oldEffects: ReturnType<typeof createOldEffects>
  readonly events: Events
}

const SECOND_MS = 1_000
const MINUTE_MS = 60_000

/** Open consoles reload what runs, and how busy the engines are. Not stored for clients that are away. */
function createTelling({ queries, compute, events }: Pick<QueryJobParts, 'queries' | 'compute' | 'events'>) {
  const tell = (accountId: string, type: GlobalEvent) =>
    events.emit('announced', { seq: 0, accountId, userId: null, type, data: {} })
  return {
    activity: async () =>
      queries.tellActivity((accountId) => tell(accountId, 'GlobalEventTypeActivityChanged')),
    async load() {
      for (const accountId of await compute.measureCpu()) tell(accountId, 'GlobalEventTypeLoadChanged')
    },
  }
}

/** What is done from time to time for statements, their results and the warehouses they run in. */
export function queryJobs(parts: QueryJobParts): Job[] {
  const { warehouses, compute, effects, room, results, downloads, queries, oldEffects } = parts
  const telling = createTelling(parts)
  return [
    { name: 'meter warehouses', everyMs: SECOND_MS, run: warehouses.meter },
    { name: 'notify of running statements', everyMs: SECOND_MS, run: telling.activity },
    {
      name: 'keep connections of programs alive',
      everyMs: 30 * SECOND_MS,
      run: queries.connections.keepAlive,
    },
    { name: 'end idle transactions', everyMs: 5 * SECOND_MS, run: queries.connections.endIdle },
    { name: 'suspend idle warehouses', everyMs: 5 * SECOND_MS, run: warehouses.suspendIdle },
    { name: 'look at processors', everyMs: 5 * SECOND_MS, run: telling.load },
    { name: 'end unused engines', everyMs: 5 * SECOND_MS, run: compute.endUnusedEngines },
    { name: 'settle effects', everyMs: 5 * SECOND_MS, run: effects.settleAll },
    { name: 'end unused readers', everyMs: 5 * SECOND_MS, run: room.endUnusedReaders },
    { name: 'expire results', everyMs: MINUTE_MS, run: results.expire },
    { name: 'expire downloads', everyMs: MINUTE_MS, run: downloads.expire },
    { name: 'keep results within quotas', everyMs: LOOK_MS, run: results.keepAllWithinQuota },
    { name: 'remove results without a statement', everyMs: 60 * MINUTE_MS, run: results.removeUnknown },
    { name: 'prepare months of the history', everyMs: 60 * MINUTE_MS, run: queries.prepareMonths },
    { name: 'forget old statements', everyMs: 10 * MINUTE_MS, run: queries.forgetOld },
    { name: 'forget old shares', everyMs: 10 * MINUTE_MS, run: warehouses.forgetOldShares },
    { name: 'forget notes of effects', everyMs: OLD_EFFECTS_LOOK_MS, run: oldEffects.forget },
    { name: 'forget closed connections', everyMs: 10 * MINUTE_MS, run: queries.forgetClosedConnections },
    { name: 'close idle connections', everyMs: 10 * MINUTE_MS, run: queries.closeIdleConnections },
  ]
}
