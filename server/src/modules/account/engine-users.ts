import type { Kysely } from 'kysely'
import type { UserRange } from '../../engines/engine/local-space.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Schema } from '../../store/schema.ts'
import { createEngineUserStore } from './engine-user-store.ts'

/** Of two accounts at the same moment one may have to choose again. */
const MOST_TRIES = 10

/**
 * The user of the operating system that the engine of an account runs as: chosen once, kept permanently, not shared
 * with another account. Chosen at random among the free ones, so that two services on one machine hardly ever choose
 * the same.
 */
export function createEngineUsers({ db, users }: { db: Kysely<Schema>; users: UserRange | null }) {
  const store = createEngineUserStore(db)
  const known = new Map<string, number>()

  return {
    /** Null where an engine can only run as the service does. */
    async of(accountId: string): Promise<number | null> {
      if (!users) return null
      const remembered = known.get(accountId)
      if (remembered !== undefined) return remembered
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const found = (await store.find(accountId)) ?? (await store.choose(accountId, users))
        if (!found) continue
        known.set(accountId, found.os_user)
        return found.os_user
      }
      throw new AppError(
        'Unavailable',
        'No operating system user is left for the engine of this account. Contact the operator of the service.',
      )
    },
  }
}
