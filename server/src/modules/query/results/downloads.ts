import { rm } from 'node:fs/promises'
import type { Log } from '../../../kernel/log.ts'
import type { ResultRoom } from '../../../results/room.ts'
import { createDownloadLinks, type DownloadLinkParts } from './download-links.ts'
import type { DownloadStore } from './download-store.ts'
import { createExports, type ExportParts, WORK_MS } from './exporting.ts'

export interface DownloadParts extends Omit<DownloadLinkParts, 'results'>, ExportParts {
  readonly store: DownloadStore
  readonly results: DownloadLinkParts['results'] & ExportParts['results']
  readonly room: Pick<ResultRoom, 'exportFile' | 'unfinishedBytes' | 'sweepExports'>
  readonly accountIds: () => Promise<string[]>
  readonly log: Log
}

/** Files made of kept results, each behind a link that is good once. */
export function createDownloads(parts: DownloadParts) {
  const { store, room, accountIds, clock, log } = parts

  async function sweep(): Promise<void> {
    for (const accountId of await accountIds()) {
      const count = await room.sweepExports(accountId, () => store.filesOf(accountId))
      if (count > 0) log.info({ accountId, count }, 'files that can no longer be downloaded were removed')
    }
  }

  return {
    ...createExports(parts),
    ...createDownloadLinks(parts),

    /** Removes what nobody fetched in time, and what has no link, as after a crash. */
    async expire(): Promise<void> {
      const longAgo = new Date(clock.now().getTime() - WORK_MS)
      for (const { account_id, file } of await store.removeExpired(clock.now(), longAgo)) {
        await rm(file, { force: true })
        log.info({ accountId: account_id }, 'a file that was not downloaded in time was removed')
      }
      await sweep()
    },

    /** Before anyone can ask: what the last server was making, or sending, is over. */
    async recover(): Promise<void> {
      await store.removeUnfinished()
      await sweep()
    },
  }
}

export type Downloads = ReturnType<typeof createDownloads>
