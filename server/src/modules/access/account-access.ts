import { type Privilege, withInherited } from '@boathouse/contract'
import type { Kysely } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { createAccountAccessStore, type DataGrant } from './account-access-store.ts'

/** What an engine can tell apart of what may be done with tables and views; `OWNERSHIP` is to create, change and drop them. */
type DataPrivilege = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE' | 'OWNERSHIP'

/** Null: whatever it is called. */
interface DataAccess {
  readonly catalog: string | null
  readonly schema: string | null
  readonly table: string | null
  readonly privileges: readonly DataPrivilege[]
}

/** Users who may do the same. */
export interface AccessOfUsers {
  readonly users: readonly string[]
  readonly objects: readonly DataAccess[]
}

const ALL: readonly DataPrivilege[] = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'OWNERSHIP']
const EVERYTHING: DataAccess = { catalog: null, schema: null, table: null, privileges: ALL }

/** A view that is refreshed is emptied and filled. */
const GIVES: Partial<Record<Privilege, readonly DataPrivilege[]>> = {
  SELECT: ['SELECT'],
  INSERT: ['INSERT'],
  UPDATE: ['UPDATE'],
  DELETE: ['DELETE'],
  REFRESH: ['INSERT', 'DELETE'],
  ALTER: ['OWNERSHIP'],
  DROP: ['OWNERSHIP'],
  'CREATE DATABASE': ['OWNERSHIP'],
  'CREATE TABLE': ['OWNERSHIP'],
  'CREATE VIEW': ['OWNERSHIP'],
  'CREATE MATERIALIZED VIEW': ['OWNERSHIP'],
}

function grouped<T, K>(values: readonly T[], keyOf: (value: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const value of values) {
    const group = groups.get(keyOf(value))
    if (group) group.push(value)
    else groups.set(keyOf(value), [value])
  }
  return groups
}

const orAny = (name: string): string | null => (name === '' ? null : name)

const accessOf = ({ catalog, database, name, privileges }: DataGrant): DataAccess => ({
  catalog: orAny(catalog),
  schema: orAny(database),
  table: orAny(name),
  privileges: [...new Set(privileges.flatMap((privilege) => GIVES[privilege] ?? []))],
})

/**
 * Who may do what with all data of an account. It is at most wider than what the service decides for one statement, never
 * narrower: an engine that holds statements against it is a second lock.
 */
export function createAccountAccess({ db }: { db: Kysely<Schema> }) {
  const store = createAccountAccessStore(db)
  return {
    versionsOf: store.versionsOf,

    async of(accountId: string): Promise<AccessOfUsers[]> {
      const [people, grants, owned] = await Promise.all([
        store.peopleOf(accountId),
        store.dataGrantsOf(accountId),
        store.ownedViewsOf(accountId),
      ])
      const ownOf = grouped([...grants, ...owned], ({ userId }) => userId)
      const ofRole = grouped(grants, ({ role }) => role)
      // Most users have what their roles have: users with the same roles are grouped.
      const alike = grouped(people, ({ userId, roles }) =>
        JSON.stringify(ownOf.has(userId) ? [userId] : ['', ...roles]),
      )
      return [...alike.values()].flatMap((users) => {
        const [{ userId, roles } = { userId: '', roles: [] }] = users
        const held = withInherited([...roles, 'public'])
        const given = [...(ownOf.get(userId) ?? []), ...held.flatMap((role) => ofRole.get(role) ?? [])]
        const objects = held.includes('db_admin') ? [EVERYTHING] : given.map(accessOf)
        return objects.length > 0 ? [{ users: users.map(({ name }) => name), objects }] : []
      })
    },
  }
}

export type AccountAccess = ReturnType<typeof createAccountAccess>
