import type { Actor } from '../../kernel/actor.ts'
import type { LiveRequests } from './accepting/live-requests.ts'
import type { Underway } from './history/activity.ts'
import { StoppedBy } from './running/stopped-by.ts'

/** The statements that run or wait in this server, for those who watch and stop them. */
export const createRunningStatements = (live: Pick<LiveRequests, 'ofAccount' | 'takeActive'>) => ({
  /** By their query ids. */
  underway(accountId: string): ReadonlyMap<string, Underway> {
    const found = new Map<string, Underway>()
    for (const request of live.ofAccount(accountId)) {
      const known = request.underway()
      if (known) found.set(known.queryId, known)
    }
    return found
  },

  /** The caller has checked that `by` may stop it. False when nothing of it runs here. */
  async stop(accountId: string, queryId: string, by: Actor): Promise<boolean> {
    const request = live.ofAccount(accountId).find((one) => one.has(queryId))
    if (!request) return false
    const isOwn = request.userId === by.userId
    await request.cancel(isOwn ? undefined : new StoppedBy(`Stopped by ${by.user}`))
    return true
  },

  /** Open consoles look again at what runs: once for each account in which something does or just did. */
  tellActivity(tell: (accountId: string) => void): void {
    for (const accountId of live.takeActive()) tell(accountId)
  },
})
