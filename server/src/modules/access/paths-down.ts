import { type AccessObject, inheritedBy, type PathStep } from '@boathouse/contract'
import type { PeopleStore, PersonRow } from '../user/people-with-roles-store.ts'
import { runsAccount } from './authority.ts'
import type { AccessStore } from './store.ts'

/** The shortest path down from the roles that somebody has active, as it leads to each role. */
export type PathsDown = ReadonlyMap<string, readonly string[]>

/** From somebody to one of their roles, or to what they hold themselves. */
export const pathTo = (
  role: string | null,
  { user, paths }: { readonly user: string; readonly paths: PathsDown },
): PathStep[] => [
  { kind: 'user', name: user },
  ...(role === null ? [] : (paths.get(role) ?? [])).map((name) => ({ kind: 'role' as const, name })),
]

type Edges = readonly { readonly role: string; readonly granted: string }[]

export function pathsDown(active: readonly string[], edges: Edges): PathsDown {
  const below = new Map<string, string[]>()
  for (const { role, granted } of edges) below.set(role, [...(below.get(role) ?? []), granted])
  const paths = new Map<string, readonly string[]>(active.map((role) => [role, [role]]))
  // What is found is walked in turn: the list grows while it is read.
  const found = [...paths.keys()]
  for (const role of found)
    for (const inherited of [...inheritedBy(role), ...(below.get(role) ?? [])]) {
      if (paths.has(inherited)) continue
      paths.set(inherited, [...(paths.get(role) ?? []), inherited])
      found.push(inherited)
    }
  return paths
}

/** From the roles that a user has active at each sign-in, and `public`, down to all that these inherit. */
export function createPathsOf({ store, people }: { store: AccessStore; people: PeopleStore }) {
  return async function pathsOf(
    accountId: string,
    person: PersonRow,
  ): Promise<(type: AccessObject['type']) => PathsDown> {
    const held = await people.rolesOf(person.user_id)
    const active = [...new Set([...held.filter((role) => role.active).map(({ role }) => role), 'public'])]
    const edges = await store.inheritedOf(accountId, await store.below(accountId, active))
    const paths = pathsDown(active, edges)
    const runs = person.is_creator && person.roles.includes('org_admin')
    const running = runs ? pathsDown([...active, 'account_admin'], edges) : paths
    return (type) => (runsAccount(type) ? running : paths)
  }
}

export type PathsOf = ReturnType<typeof createPathsOf>
