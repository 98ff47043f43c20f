import {
  type AccessObject,
  BUILT_IN_GRANTS,
  BUILT_IN_ROLES,
  isBuiltIn,
  objectText,
  type PathStep,
  type Privilege,
  reaches,
  objectOf,
} from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { requirePerson } from './changes.ts'
import type { Grants } from './grants.ts'
import type { PeopleStore } from '../user/people-with-roles-store.ts'
import type { AccessStore, GrantRow } from './store.ts'
import { pathTo, type PathsOf } from './paths-down.ts'

export interface Question {
  readonly user: string
  readonly privilege: Privilege
  readonly object: AccessObject
}

export interface Explanation {
  readonly allowed: boolean
  readonly path: PathStep[]
  readonly missing: string
  readonly rolesThatHelp: string[]
}

const grantStep = (privilege: Privilege, object: AccessObject): PathStep => ({
  kind: 'grant',
  name: `${privilege} on ${objectText(object)}`,
})

const allowed = (path: PathStep[]): Explanation => ({ allowed: true, path, missing: '', rolesThatHelp: [] })

/** Answers 'why may somebody do this, or why not?' with the path from them to the grant. */
export function createExplain({
  store,
  people,
  grants,
  pathsOf,
}: {
  store: AccessStore
  people: PeopleStore
  grants: Pick<Grants, 'resolve' | 'toGrants'>
  pathsOf: PathsOf
}) {
  async function shown(accountId: string, grant: GrantRow): Promise<AccessObject> {
    const [shown] = await grants.toGrants(accountId, [grant])
    return shown?.object ?? grant
  }

  return async function explain(actor: Actor, { user, privilege, object }: Question): Promise<Explanation> {
    const { accountId } = actor
    const person = await requirePerson(people, undefined, { accountId, user })
    const kept = await grants.resolve(actor, object)
    const paths = (await pathsOf(accountId, person))(kept.type)
    const roles = [...paths.keys()]
    const found = (await store.granted(accountId, { userId: person.user_id, roles }, kept))
      .filter((grant) => grant.privileges.includes(privilege))
      .sort((a, b) => (paths.get(a.role ?? '')?.length ?? 0) - (paths.get(b.role ?? '')?.length ?? 0))[0]
    const wayOf = (role: string | null): PathStep[] => pathTo(role, { user: person.name, paths })
    if (found) {
      const granted = await shown(accountId, found)
      return allowed([...wayOf(found.role), grantStep(privilege, granted)])
    }
    const holdsByNature = (role: string): boolean =>
      isBuiltIn(role) &&
      BUILT_IN_GRANTS[role].some(
        ({ type, privileges }) => privileges.includes(privilege) && reaches(objectOf(type), kept),
      )
    const builtIn = roles
      .filter(holdsByNature)
      .sort((a, b) => (paths.get(a)?.length ?? 0) - (paths.get(b)?.length ?? 0))[0]
    if (builtIn !== undefined) return allowed([...wayOf(builtIn), grantStep(privilege, objectOf(kept.type))])
    const helping = await store.rolesGranted(accountId, privilege, kept)
    return {
      allowed: false,
      path: [],
      missing: `${privilege} on ${objectText(object)}`,
      rolesThatHelp: [...BUILT_IN_ROLES.filter(holdsByNature), ...helping],
    }
  }
}
