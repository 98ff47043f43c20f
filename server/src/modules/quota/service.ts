import { KEPT_KINDS, KEPT_LIMITS, type KeptUse, type Output, type quota } from '@boathouse/contract'
import type { Kysely } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import type { Schema } from '../../store/schema.ts'
import { kindsOf, largestUsers, WHOLE_ACCOUNT } from './store.ts'

/** Of each kind, those users of an account that have the most. */
const MOST_USERS = 10

/** How much is kept for users and accounts, for who wants to know. */
export function createQuotas({ db }: { db: Kysely<Schema> }) {
  async function useOf(accountId: string, userId: string, of: 'user' | 'account'): Promise<KeptUse[]> {
    const rows = await kindsOf(db, accountId, userId)
    return KEPT_KINDS.map((kind) => ({
      kind,
      bytes: rows.find((row) => row.kind === kind)?.bytes ?? 0,
      most: KEPT_LIMITS[kind][of],
    }))
  }

  return {
    own: async ({ accountId, userId }: Actor) => ({ kept: await useOf(accountId, userId, 'user') }),

    async account({ accountId }: Actor): Promise<Output<typeof quota.account>> {
      const users = await largestUsers(db, accountId, MOST_USERS)
      return {
        kept: await useOf(accountId, WHOLE_ACCOUNT, 'account'),
        users: users.flatMap(({ user, kind, bytes }) => {
          const known = KEPT_KINDS.find((one) => one === kind)
          return known ? [{ user, kind: known, bytes }] : []
        }),
      }
    },
  }
}

export type Quotas = ReturnType<typeof createQuotas>
