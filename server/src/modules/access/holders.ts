import { BUILT_IN_ROLES, withInherited } from '@boathouse/contract'
import type { Kysely } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import type { PeopleStore } from '../user/people-with-roles-store.ts'
import type { AccessStore } from './store.ts'

/** Built-in roles that inherit one of these. */
export const builtInsAbove = (roles: readonly string[]): string[] =>
  BUILT_IN_ROLES.filter((role) => withInherited([role]).some((below) => roles.includes(below)))

/** Everyone who has a role, by whichever way. */
export const createHolders =
  ({ store, people }: { store: Pick<AccessStore, 'above'>; people: Pick<PeopleStore, 'withAnyRole'> }) =>
  async (executor: Kysely<Schema>, accountId: string, role: string) => {
    const above = await store.above(accountId, [role, ...builtInsAbove([role])], executor)
    return people.withAnyRole(executor, accountId, [...above, ...builtInsAbove(above)])
  }

export type Holders = ReturnType<typeof createHolders>
