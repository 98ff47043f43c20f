import { BUILT_IN_GRANTS, type EffectiveGrant, isBuiltIn, objectOf, objectText } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import type { Page } from '../../store/page.ts'
import type { PeopleStore, PersonRow } from '../user/people-with-roles-store.ts'
import { requirePerson } from './changes.ts'
import type { Grants } from './grants.ts'
import type { AccessStore } from './store.ts'
import { pathTo, type PathsOf } from './paths-down.ts'

type WaysByType = Awaited<ReturnType<PathsOf>>

/** The grants that come with their built-in roles and cannot be revoked. */
function builtInGrants(person: PersonRow, waysFor: WaysByType): EffectiveGrant[] {
  const roles = new Set([...waysFor('system').keys(), ...waysFor('table').keys()])
  return [...roles].filter(isBuiltIn).flatMap((role) =>
    BUILT_IN_GRANTS[role]
      .filter(({ type }) => waysFor(type).has(role))
      .map(({ type, privileges }) => ({
        object: objectOf(type),
        objectText: objectText(objectOf(type)),
        privileges: [...privileges],
        grantable: [],
        grantedBy: null,
        grantedAt: null,
        path: pathTo(role, { user: person.name, paths: waysFor(type) }),
      })),
  )
}

const contains = ({ objectText: text, path }: EffectiveGrant, search: string): boolean =>
  `${text} ${path.at(-1)?.name}`.toLowerCase().includes(search.toLowerCase())

/**
 * Everything that a user may do, each with the way from them to the grant: theirs, or of which role, and through which
 * others that comes. What is held in two paths is there twice.
 */
export function createEffective({
  store,
  people,
  grants,
  pathsOf,
}: {
  store: AccessStore
  people: PeopleStore
  grants: Pick<Grants, 'toGrants'>
  pathsOf: PathsOf
}) {
  return async function effective(
    actor: Actor,
    user: string,
    { search, page, pageSize }: Page,
  ): Promise<{ list: EffectiveGrant[]; total: number }> {
    const { accountId } = actor
    const person = await requirePerson(people, undefined, { accountId, user })
    const waysFor = await pathsOf(accountId, person)
    const paths = waysFor('table')
    const builtIn = builtInGrants(person, waysFor).filter((one) => contains(one, search))
    const from = (page - 1) * pageSize
    const shown = builtIn.slice(from, from + pageSize)
    const granted = await store.allGrantsOf(
      accountId,
      { userId: person.user_id, roles: [...paths.keys()] },
      { search, offset: Math.max(0, from - builtIn.length), limit: pageSize - shown.length },
    )
    const presented = await grants.toGrants(accountId, granted.list)
    const given = presented.map((grant, index) => ({
      ...grant,
      path: pathTo(granted.list[index]?.role ?? null, { user: person.name, paths }),
    }))
    return { list: [...shown, ...given], total: builtIn.length + granted.total }
  }
}
