import { type Actor, requireOpenAccount } from '../../../kernel/actor.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { RequireLetIn } from '../../firewall/gate.ts'
import { downloadEvent, hashCode, removeDownload } from './download-files.ts'
import type { DownloadStore } from './download-store.ts'
import { expired, type ResultAccess } from './result-access.ts'
import type { ResultStore } from './result-store.ts'

export interface DownloadLinkParts {
  readonly store: Pick<DownloadStore, 'find' | 'take' | 'record' | 'remove'>
  readonly statements: Pick<ResultStore, 'find' | 'accountStateOf'>
  readonly results: Pick<ResultAccess, 'requireAllowed'>
  /** Who somebody is and what they may do; undefined when they are gone. */
  readonly actorOf: (userId: string) => Promise<Actor | undefined>
  readonly requireLetIn: RequireLetIn
  readonly clock: Clock
}

/** Links to files, each good for one download. */
export function createDownloadLinks(parts: DownloadLinkParts) {
  const { store, statements, results, actorOf, requireLetIn, clock } = parts

  /** A link requires no sign-in, so the user who made it is looked up. */
  async function requireOwnerStillAllowed(link: { account_id: string; user_id: string; query_id: string }) {
    const row = await statements.find(link.account_id, link.query_id)
    if (!row) throw expired()
    requireOpenAccount(await statements.accountStateOf(link.account_id))
    const owner = await actorOf(link.user_id)
    if (!owner) throw expired()
    await results.requireAllowed(owner, link.query_id, row)
    return owner
  }

  return {
    /** The file behind a link, which stays good. */
    async look(code: string, clientIp: string) {
      const found = await store.find(hashCode(code))
      if (!found || found.expires_at <= clock.now()) return undefined
      await requireLetIn({ accountId: found.account_id, clientIp })
      await requireOwnerStillAllowed(found)
      return found
    },

    /** The file behind a link, once; undefined when the link is not, or no longer, good. */
    async take(code: string, clientIp: string) {
      const codeHash = hashCode(code)
      const found = await store.find(codeHash)
      if (!found) return undefined
      // Before it is used up: who may not have it does not take it from who may.
      await requireLetIn({ accountId: found.account_id, clientIp })
      const taken = await store.take(codeHash, clock.now())
      if (!taken) return undefined
      let isGood = false
      try {
        const actor = await requireOwnerStillAllowed(taken)
        const isInTime = taken.expires_at > clock.now()
        // Before anything of it is sent.
        if (isInTime) {
          const after = { file: taken.file_name, format: taken.format, bytes: taken.bytes }
          const event = downloadEvent({ actor, clientIp }, taken.query_id, clock.now())
          await store.record({ ...event, action: 'result.download', after })
        }
        isGood = isInTime
      } finally {
        if (!isGood) await removeDownload(store, codeHash, taken.file)
      }
      return isGood ? { ...taken, remove: () => removeDownload(store, codeHash, taken.file) } : undefined
    },
  }
}
