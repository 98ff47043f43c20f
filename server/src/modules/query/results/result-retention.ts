import { LIMITS } from '@boathouse/contract'
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import type { ResultRoom } from '../../../results/room.ts'
import type { ResultStore } from './result-store.ts'

export interface ResultRetentionParts {
  readonly store: Pick<
    ResultStore,
    | 'expire'
    | 'measured'
    | 'unmeasured'
    | 'keptBytes'
    | 'newestFirst'
    | 'expiredBefore'
    | 'accountsKeepingSince'
    | 'keptOf'
  >
  readonly room: Pick<ResultRoom, 'drop' | 'sizesOf' | 'sweepResults'>
  /** Of files that were made of results and count within the same quota. */
  readonly exportedBytes: (accountId: string) => Promise<number>
  readonly accountIds: () => Promise<string[]>
  readonly clock: Clock
  readonly log: Log
}

/** How often quotas are checked. */
export const LOOK_MS = 60_000
/** The end of a statement may be written this long after its rows: only then is a file without one left over. */
const UNKNOWN_MS = 3_600_000

interface Quota {
  readonly quotaBytes?: number
  readonly except?: string
}

interface KeptFile {
  readonly queryId: string
  readonly userId: string
  readonly bytes: number
}

/** What is removed when there is no room for all: first what one user keeps beyond half of the quota. */
function beyondQuota(
  newestFirst: readonly KeptFile[],
  { bytes, quotaBytes }: { bytes: number; quotaBytes: number },
): KeptFile[] {
  const ofUser = new Map<string, number>()
  const beyondShare = new Set<KeptFile>()
  for (const file of newestFirst) {
    const own = (ofUser.get(file.userId) ?? 0) + file.bytes
    ofUser.set(file.userId, own)
    if (own > quotaBytes / 2) beyondShare.add(file)
  }
  let kept = bytes
  const inOrder = [...newestFirst.filter((file) => !beyondShare.has(file)), ...beyondShare]
  return inOrder.filter((file) => (kept += file.bytes) > quotaBytes)
}

/** Removes kept results that have expired, that are beyond the quota, or that no statement knows. */
export function createResultRetention(parts: ResultRetentionParts) {
  const { store, room, exportedBytes, accountIds, clock, log } = parts

  /** The files first: a crash in between leaves a result whose rows are gone, which is answered so, and no file for good. */
  async function forget(accountId: string, queryIds: readonly string[]): Promise<void> {
    if (queryIds.length === 0) return
    await room.drop(accountId, queryIds)
    await store.expire(queryIds)
  }

  /** A file is there as a whole and stays as it is, so its size is read once. */
  async function measureNew(accountId: string): Promise<void> {
    await store.measured(await room.sizesOf(accountId, await store.unmeasured(accountId)))
  }

  /** Makes room when an account keeps more than its quota: first of who keeps more than half of it, the oldest first. */
  async function keepWithinQuota(
    accountId: string,
    { quotaBytes = LIMITS.keptBytesPerAccount, except }: Quota = {},
  ): Promise<void> {
    await measureNew(accountId)
    const bytes = await exportedBytes(accountId)
    if (bytes + (await store.keptBytes(accountId)) <= quotaBytes) return
    const over = beyondQuota(await store.newestFirst(accountId), { bytes, quotaBytes }).filter(
      (row) => row.queryId !== except,
    )
    await forget(
      accountId,
      over.map((row) => row.queryId),
    )
  }

  return {
    keepWithinQuota,

    /** Removes what is older than it may be. */
    async expire(): Promise<void> {
      for (const { accountId, queryIds } of await store.expiredBefore(clock.now()))
        await forget(accountId, queryIds)
    },

    /** The accounts that have kept anything since the last look; the others have not grown. */
    async keepAllWithinQuota(): Promise<void> {
      const since = new Date(clock.now().getTime() - 2 * LOOK_MS)
      for (const accountId of await store.accountsKeepingSince(since)) await keepWithinQuota(accountId)
    },

    /** Files of which the database knows nothing, as after a crash. */
    async removeUnknown(): Promise<void> {
      const longAgo = new Date(clock.now().getTime() - UNKNOWN_MS)
      for (const accountId of await accountIds()) {
        const known = (queryIds: readonly string[]) => store.keptOf(accountId, queryIds)
        const count = await room.sweepResults(accountId, longAgo, known)
        if (count > 0) log.info({ accountId, count }, 'results without a statement were removed')
      }
    },
  }
}
