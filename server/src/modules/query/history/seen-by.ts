import type { Actor } from '../../../kernel/actor.ts'

/** Whose statements: one user's, or with null those of all in the account. */
export interface Seen {
  readonly accountId: string
  readonly user: { readonly id: string; readonly name: string } | null
}

/** ACT-09: everyone sees and stops their own statements, an account administrator those of all. */
export const seesAll = (actor: Actor): boolean => actor.activeRoles.includes('account_admin')

export const seenBy = (actor: Actor): Seen => ({
  accountId: actor.accountId,
  user: seesAll(actor) ? null : { id: actor.userId, name: actor.user },
})
