import type { Job } from './jobs/jobs.ts'
import type { Events } from './kernel/events.ts'
import { loadCalls } from './modules/load/calls.ts'
import { pipeCalls } from './modules/load/pipes/calls.ts'
import { createPipes, type PipeParts } from './modules/load/pipes/service.ts'
import { createLoads, type LoadParts } from './modules/load/service.ts'

/** Whose functions loads need, under the names that these have there. */
interface LoadNeighbours {
  readonly folders: {
    readonly directoryOf: LoadParts['accountDirectory']
    readonly accountIds: LoadParts['accountIds']
  }
  readonly compute: Pick<LoadParts, 'useServiceEngine'>
  readonly engineUsers: { readonly of: LoadParts['osUserOf'] }
  readonly users: Pick<LoadParts, 'actorOf'>
  readonly identity: Pick<LoadParts, 'requireLetIn'>
  readonly announcements: Pick<LoadParts, 'announce'>
  readonly objects: Pick<LoadParts, 'resolve'>
  readonly catalog: { readonly filePlaces: PipeParts['places']; readonly outside: PipeParts['buckets'] }
  readonly events: Pick<Events, 'emit'>
}

type OwnParts = Pick<
  LoadParts,
  | 'db'
  | 'queries'
  | 'findRequest'
  | 'authority'
  | 'warehouses'
  | 'webFiles'
  | 'labelsKeptMs'
  | 'idleMs'
  | 'mostOpen'
  | 'mostStaged'
  | 'clock'
  | 'log'
>

const SECOND_MS = 1_000
const MINUTE_MS = 60_000

/** Wires what loads files into tables; a part of `build`. */
export function buildLoads(own: OwnParts, neighbours: LoadNeighbours) {
  const { folders, compute, engineUsers, users, identity, announcements, objects, catalog, events } =
    neighbours
  const loads = createLoads({
    ...own,
    accountDirectory: folders.directoryOf,
    accountIds: folders.accountIds,
    useServiceEngine: compute.useServiceEngine,
    osUserOf: engineUsers.of,
    actorOf: users.actorOf,
    requireLetIn: identity.requireLetIn,
    announce: announcements.announce,
    resolve: objects.resolve,
  })
  const pipes = createPipes({
    ...own,
    streams: loads.streams,
    places: catalog.filePlaces,
    buckets: catalog.outside,
    actorOf: users.actorOf,
    resolve: objects.resolve,
    tell: (accountId) =>
      events.emit('announced', {
        seq: 0,
        accountId,
        userId: null,
        type: 'GlobalEventTypePipeChanged',
        data: {},
      }),
  })
  const jobs: Job[] = [
    { name: 'run pipes', everyMs: SECOND_MS, run: pipes.runDue },
    { name: 'notify of pipes', everyMs: SECOND_MS, run: pipes.tellTouched },
    { name: 'resume loads', everyMs: 5 * SECOND_MS, run: loads.resumeLeft },
    { name: 'settle stream loads', everyMs: 5 * SECOND_MS, run: loads.streams.settleLeft },
    { name: 'forget labels', everyMs: 10 * MINUTE_MS, run: loads.streams.forgetLabels },
    { name: 'expire uploads', everyMs: MINUTE_MS, run: loads.expire },
    { name: 'forget old loads', everyMs: 10 * MINUTE_MS, run: loads.forgetOld },
  ]
  return {
    ...loads,
    pipes,
    calls: [...loadCalls(loads), ...pipeCalls(pipes)],
    jobs,
    async closing(): Promise<void> {
      pipes.closing()
      await loads.closing()
    },
    async close(): Promise<void> {
      await pipes.idle()
      await loads.close()
    },
  }
}

export type Loads = ReturnType<typeof buildLoads>
