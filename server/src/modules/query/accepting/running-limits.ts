import { LIMITS } from '@boathouse/contract'
import { AppError } from '../../../kernel/app-error.ts'

interface Owner {
  readonly accountId: string
  readonly userId: string
}

const add = (counts: Map<string, number>, key: string, change: 1 | -1): void => {
  const count = (counts.get(key) ?? 0) + change
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}

/** How many requests an account and each of its users run at the same time, from whichever door. */
export function createRunningLimits() {
  const ofAccounts = new Map<string, number>()
  const ofUsers = new Map<string, number>()
  /** Accounts in which a request began or ended since `takeActive`. */
  const stirred = new Set<string>()

  function requireRoom({ accountId, userId }: Owner): void {
    const own = ofUsers.get(userId) ?? 0
    const count = ofAccounts.get(accountId) ?? 0
    if (own >= LIMITS.statementsInFlightPerUser)
      throw new AppError(
        'LimitReached',
        `You have ${own} running requests, the maximum for one user of the ${LIMITS.statementsInFlightPerAccount} of an account. Wait for some to end.`,
      )
    if (count >= LIMITS.statementsInFlightPerAccount)
      throw new AppError(
        'LimitReached',
        `This account has ${count} running requests, the maximum. Wait for some to end.`,
      )
  }

  function count({ accountId, userId }: Owner, change: 1 | -1): void {
    stirred.add(accountId)
    add(ofAccounts, accountId, change)
    add(ofUsers, userId, change)
  }

  return {
    /** Throws when there is no room for one more; otherwise it is taken at once, and freed by what this returns. */
    reserve(owner: Owner): () => void {
      requireRoom(owner)
      count(owner, 1)
      let isFreed = false
      return () => {
        if (!isFreed) count(owner, -1)
        isFreed = true
      }
    },

    /** Accounts in which requests run, or have run since this was called last. */
    takeActive(): ReadonlySet<string> {
      const active = new Set([...stirred, ...ofAccounts.keys()])
      stirred.clear()
      return active
    },
  }
}
