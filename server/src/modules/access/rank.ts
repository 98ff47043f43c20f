import {
  type AccessObject,
  BUILT_IN_ROLES,
  objectText,
  type Privilege,
  withInherited,
} from '@boathouse/contract'
import type { Kysely } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Schema } from '../../store/schema.ts'
import type { PersonRow } from '../user/people-with-roles-store.ts'
import type { Authority } from './authority.ts'
import type { AccessStore } from './store.ts'

/** The built-in roles that administer something: all but `public`. */
const ADMINISTRATIONS: readonly string[] = BUILT_IN_ROLES.filter((role) => role !== 'public')

/** What somebody administers, whether the roles for it are active or not. */
interface Rank {
  readonly roles: readonly string[]
  /** Granted on SYSTEM, or on all of a kind in the account or in a catalog: as much as a built-in role could give. */
  readonly wide: readonly { readonly object: AccessObject; readonly privilege: Privilege }[]
}

export interface RankedChange {
  /** Whose roles, password, logins or existence change. */
  readonly of?: Pick<PersonRow, 'user_id' | 'name' | 'roles'> | { readonly role: string }
  /** Roles that are given or taken. */
  readonly moved?: readonly string[]
}

/**
 * The one rule about who may change whom, for calls and statements alike: nobody gives, takes or changes what is above
 * what they hold. Of whom is changed, and of each role that is given or taken, everything counts that they administer by
 * any path, active or not; of who changes it, only what they hold with their active roles.
 */
export function createRank({
  store,
  authority,
}: {
  store: Pick<AccessStore, 'below' | 'wideGrants'>
  authority: Pick<Authority, 'may'>
}) {
  const closureOf = async (trx: Kysely<Schema>, accountId: string, roles: readonly string[]) =>
    withInherited(await store.below(accountId, roles, trx))

  async function rankOf(
    trx: Kysely<Schema>,
    accountId: string,
    { userId, roles }: { userId: string | null; roles: readonly string[] },
  ): Promise<Rank> {
    const closure = await closureOf(trx, accountId, roles)
    const grants = await store.wideGrants(trx, accountId, { userId, roles: closure })
    return {
      roles: ADMINISTRATIONS.filter((role) => closure.includes(role)),
      wide: grants.flatMap(({ privileges, ...object }) =>
        privileges.map((privilege) => ({ object, privilege })),
      ),
    }
  }

  /** The first thing of it that somebody does not hold, in words; null: they hold all of it. */
  async function above(actor: Actor, { roles, wide }: Rank): Promise<string | null> {
    const role = roles.find((one) => !actor.activeRoles.includes(one))
    if (role !== undefined) return role
    for (const { object, privilege } of wide)
      if (!(await authority.may(actor, privilege, object))) return `${privilege} on ${objectText(object)}`
    return null
  }

  return {
    closureOf,

    async require(trx: Kysely<Schema>, actor: Actor, { of, moved = [] }: RankedChange): Promise<void> {
      const { accountId } = actor
      for (const role of moved) {
        const missing = await above(actor, await rankOf(trx, accountId, { userId: null, roles: [role] }))
        if (missing !== null)
          throw new AppError(
            'NoPermission',
            `You cannot grant or revoke ${role}: ${missing === role ? 'it is' : `it comes with ${missing}, which is`} not among your active roles and what these give you. Ask an administrator who holds it.`,
          )
      }
      if (!of) return
      const rank =
        'role' in of
          ? await rankOf(trx, accountId, { userId: null, roles: [of.role] })
          : await rankOf(trx, accountId, { userId: of.user_id, roles: of.roles })
      const missing = await above(actor, rank)
      if (missing !== null)
        throw new AppError(
          'NoPermission',
          `You cannot change ${'role' in of ? of.role : of.name}, who holds ${missing}, which your active roles do not have. Ask an administrator who has it.`,
        )
    },

    /** Nobody gives themselves a role by way of one that they have. */
    async requireNoRise(
      trx: Kysely<Schema>,
      actor: Actor,
      { role, granted }: { role: string; granted: string },
    ): Promise<void> {
      if (actor.activeRoles.includes('account_admin')) return
      const own = await closureOf(trx, actor.accountId, actor.key?.heldByUser ?? actor.heldRoles)
      if (own.includes(role) && !own.includes(granted))
        throw new AppError(
          'Conflict',
          `You have the role ${role} yourself, and you cannot grant to yourself. Ask another user administrator.`,
        )
    },
  }
}

export type RankRule = ReturnType<typeof createRank>
