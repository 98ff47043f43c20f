import type { Actor } from '../../../kernel/actor.ts'
import type { Seen } from './history-store.ts'

/** ACT-09: everyone sees and stops their own statements, an account administrator those of all. */
export const seesAll = (actor: Actor): boolean => actor.activeRoles.includes('account_admin')

export const seenBy = (actor: Actor): Seen => ({
  accountId: actor.accountId,
  user: seesAll(actor) ? null : { id: actor.userId, name: actor.user },
})
