import type { Kysely } from 'kysely'
import type { Clock } from './kernel/clock.ts'
import type { Log } from './kernel/log.ts'
import { createDownloadStore } from './modules/query/results/download-store.ts'
import { createDownloads, type DownloadParts } from './modules/query/results/downloads.ts'
import { createFullRuns, type FullRunParts } from './modules/query/results/full-runs.ts'
import { createResultStore } from './modules/query/results/result-store.ts'
import { createResultWork } from './modules/query/results/result-work.ts'
import { createResults, type ResultParts } from './modules/query/results/results.ts'
import { createSharedStore } from './modules/query/results/shared-store.ts'
import { createSharedUses } from './modules/query/results/shared-uses.ts'
import { createSharing } from './modules/query/results/sharing.ts'
import type { ReaderProvider } from './results/reader.ts'
import { createResultRoom, type RoomOptions } from './results/room.ts'
import type { Schema } from './store/schema.ts'

interface OwnParts extends Pick<FullRunParts, 'queries' | 'endsWritten'> {
  readonly db: Kysely<Schema>
  readonly queryStore: FullRunParts['store']
  readonly authority: ResultParts['privileges']
  readonly clock: Clock
  readonly log: Log
}

/** Whose functions results need, under the names that these have there. */
interface ResultNeighbours {
  readonly engines: ReaderProvider
  readonly folders: {
    readonly directoryOf: RoomOptions['accountDirectory']
    readonly accountIds: DownloadParts['accountIds']
  }
  readonly compute: Pick<RoomOptions, 'settled'>
  readonly engineUsers: { readonly of: RoomOptions['osUserOf'] }
  readonly users: Pick<FullRunParts, 'actorOf'>
  readonly identity: Pick<DownloadParts, 'requireLetIn'>
}

/** Wires what is kept of statements, and the files that are made of it; a part of `build`. */
export function buildResults(own: OwnParts, neighbours: ResultNeighbours) {
  const { engines, folders, compute, engineUsers, users, identity } = neighbours
  const { db, queries, queryStore, authority, endsWritten, clock, log } = own
  const { actorOf } = users
  const { accountIds, directoryOf } = folders
  const room = createResultRoom({
    provider: engines,
    accountDirectory: directoryOf,
    osUserOf: engineUsers.of,
    settled: compute.settled,
    clock,
  })
  const statements = createResultStore(db)
  const store = createDownloadStore(db)
  const shared = createSharedStore(db)
  const results = createResults({
    privileges: authority,
    store: statements,
    shared,
    used: createSharedUses({ store: shared, clock }),
    room,
    endsWritten,
    exportedBytes: store.bytesOf,
    accountIds,
    clock,
    log,
  })
  const { requireLetIn } = identity
  const downloads = createDownloads({
    store,
    statements,
    results,
    room,
    accountIds,
    actorOf,
    requireLetIn,
    clock,
    log,
  })
  const fullRuns = createFullRuns({ queries, store: queryStore, statements, actorOf, endsWritten, log })
  const sharing = createSharing({
    queries,
    store: queryStore,
    statements,
    results,
    shared,
    actorOf,
    endsWritten,
    clock,
    log,
  })
  const work = createResultWork(results)
  return { room, results, work, downloads, fullRuns, sharing }
}

export type ResultServices = ReturnType<typeof buildResults>
