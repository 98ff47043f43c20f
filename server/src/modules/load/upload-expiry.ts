import type { UploadRow } from './upload-store.ts'
import type { UploadParts } from './uploads.ts'

/** Looked at in one go. */
const MOST_EXPIRED = 200

const FILE_EXPIRED = 'The file has expired, because it was not loaded in time. Upload it again.'

/** Removes files that were not loaded in time, and files without a row. */
export function createUploadExpiry(
  parts: Pick<UploadParts, 'store' | 'tasks' | 'files' | 'accountIds' | 'isArriving' | 'clock' | 'log'>,
  remove: (row: Pick<UploadRow, 'account_id' | 'upload_id'>) => Promise<void>,
) {
  const { store, tasks, files, accountIds, isArriving, clock, log } = parts

  async function sweep(): Promise<void> {
    for (const accountId of await accountIds()) {
      const there = await files.list(accountId)
      if (there.length === 0) continue
      const known = await store.idsOf(accountId)
      const lost = there.filter((uploadId) => !known.has(uploadId) && !isArriving(uploadId))
      for (const uploadId of lost) await files.remove({ accountId, uploadId })
      if (lost.length > 0)
        log.info({ accountId, count: lost.length }, 'uploads without a load task were removed')
    }
  }

  return {
    /** Removes what was not loaded in time, and what has no row, as after a crash. */
    async expire(): Promise<void> {
      const old = await store.expired(clock.now(), MOST_EXPIRED)
      for (const row of old) await remove(row)
      if (old.length > 0) log.info({ count: old.length }, 'uploads that were not loaded in time were removed')
      await tasks.failWithoutFile(FILE_EXPIRED, clock.now())
      await sweep()
    },

    sweep,
  }
}
