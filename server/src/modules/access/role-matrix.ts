import {
  BUILT_IN_GRANTS,
  type EffectiveGrant,
  isBuiltIn,
  objectOf,
  objectText,
  type Input,
  type perms,
} from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { requireRole } from './changes.ts'
import type { Grants } from './grants.ts'
import { pathsDown } from './paths-down.ts'
import type { AccessStore } from './store.ts'

type Asked = Input<typeof perms.roleMatrix>

/**
 * What a role may do with some objects of one place: by its own grants and by those of the roles that it inherits, each with
 * the way to it, on the objects themselves and on all of their kind.
 */
export function createRoleMatrix({
  store,
  grants,
}: {
  store: AccessStore
  grants: Pick<Grants, 'toGrants'>
}) {
  return async function roleMatrix({ accountId }: Actor, asked: Asked): Promise<{ list: EffectiveGrant[] }> {
    const role = await requireRole(store, undefined, { accountId, role: asked.role })
    const below = await store.below(accountId, [role])
    const paths = pathsDown([role], await store.inheritedOf(accountId, below))
    const pathOf = (of: string) => (paths.get(of) ?? [of]).map((name) => ({ kind: 'role' as const, name }))
    const builtIn = [...paths.keys()].filter(isBuiltIn).flatMap((name) =>
      BUILT_IN_GRANTS[name]
        .filter(({ type }) => type === asked.type)
        .map(({ type, privileges }): EffectiveGrant => ({
          object: objectOf(type),
          objectText: objectText(objectOf(type)),
          privileges: [...privileges],
          grantable: [],
          grantedBy: null,
          grantedAt: null,
          path: pathOf(name),
        })),
    )
    const { type, catalog, database, names } = asked
    const found = await store.grantsReaching(accountId, [...paths.keys()], { type, catalog, database, names })
    const given = await grants.toGrants(accountId, found)
    return {
      list: [
        ...builtIn,
        ...given.map((grant, index) => ({ ...grant, path: pathOf(found[index]?.role ?? role) })),
      ],
    }
  }
}
