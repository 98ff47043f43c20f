import {
  BUILT_IN_GRANTS,
  isBuiltIn,
  objectOf,
  objectText,
  type Output,
  type perms,
  type PlannedChange,
  withInherited,
} from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import type { PeopleStore } from '../user/people-with-roles-store.ts'
import { requireRole } from './changes.ts'
import type { Grants } from './grants.ts'
import type { AccessStore, GranteeKey } from './store.ts'

/** More are only counted. */
export const MOST_GRANTS = 20

type AffectedGrants = Pick<Output<typeof perms.effect>, 'grants' | 'moreGrants'>

/** The privileges that a planned change is about: of a role, of a user, or those that it names. */
export function createAffectedGrants({
  store,
  peopleStore,
  grants,
}: {
  store: AccessStore
  peopleStore: Pick<PeopleStore, 'rolesOf'>
  grants: Pick<Grants, 'findGrantee' | 'toGrants'>
}) {
  /** All that comes with these roles. */
  async function grantsWith(accountId: string, roles: readonly string[]): Promise<AffectedGrants> {
    const builtIn = roles.filter(isBuiltIn).flatMap((role) =>
      BUILT_IN_GRANTS[role].map(({ type, privileges }) => ({
        objectText: objectText(objectOf(type)),
        privileges: [...privileges],
      })),
    )
    const rows = await store.grantsOfRoles(accountId, roles, MOST_GRANTS)
    const counts = await store.countGrants(accountId, roles)
    const total = builtIn.length + counts.reduce((sum, { count }) => sum + count, 0)
    const own = (await grants.toGrants(accountId, rows)).map(({ objectText: text, privileges }) => ({
      objectText: text,
      privileges,
    }))
    const list = [...builtIn, ...own].slice(0, MOST_GRANTS)
    return { grants: list, moreGrants: total - list.length }
  }

  const withAllBelow = async (accountId: string, roles: readonly string[]): Promise<AffectedGrants> =>
    grantsWith(accountId, withInherited(await store.below(accountId, roles)))

  /** What somebody was granted themselves, then what they have by their roles. */
  async function grantsOf(accountId: string, key: GranteeKey & { userId: string }): Promise<AffectedGrants> {
    const page = { search: '', page: 1, pageSize: MOST_GRANTS }
    const { list, total } = await store.grantsTo(accountId, key, page)
    const own = await grants.toGrants(accountId, list)
    const held = (await peopleStore.rolesOf(key.userId)).map(({ role }) => role)
    const byRoles = await withAllBelow(accountId, held)
    const all = [
      ...own.map(({ objectText: text, privileges }) => ({ objectText: text, privileges })),
      ...byRoles.grants,
    ]
    const shown = all.slice(0, MOST_GRANTS)
    return { grants: shown, moreGrants: total + byRoles.grants.length + byRoles.moreGrants - shown.length }
  }

  return async function affectedGrants(actor: Actor, planned: PlannedChange): Promise<AffectedGrants> {
    const { accountId } = actor
    if ('role' in planned) {
      const role = await requireRole(store, undefined, { accountId, role: planned.role })
      return withAllBelow(accountId, [role])
    }
    if (!('object' in planned)) {
      const { key } = await grants.findGrantee(undefined, actor, planned.grantee)
      return 'role' in key ? withAllBelow(accountId, [key.role]) : grantsOf(accountId, key)
    }
    const { object, privileges } = planned
    return { grants: [{ objectText: objectText(object), privileges: [...privileges] }], moreGrants: 0 }
  }
}
