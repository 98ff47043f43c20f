import {
  type AccessObject,
  BUILT_IN_GRANTS,
  type Grant,
  type Grantee,
  isBuiltIn,
  objectOf,
  objectText,
} from '@boathouse/contract'
import type { Kysely } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Page } from '../../store/page.ts'
import type { Schema } from '../../store/schema.ts'
import type { PeopleStore } from '../user/people-with-roles-store.ts'
import { requirePerson, requireRole } from './changes.ts'
import type { AccessStore, GranteeKey, GrantRow } from './store.ts'

/** The objects of an account, in whichever module they are kept. */
export interface ObjectLookup {
  /** In the form that is stored: by its true name, a warehouse by its id. Null if there is no such object. */
  resolve(actor: Actor, object: AccessObject): Promise<AccessObject | null>
  /** As people know it. What is gone keeps what it was kept by. */
  present(accountId: string, objects: readonly AccessObject[]): Promise<AccessObject[]>
}

export interface GrantParts {
  readonly store: Pick<AccessStore, 'findRole' | 'grantsTo'>
  readonly people: Pick<PeopleStore, 'find'>
  readonly objects: ObjectLookup
}

/** A user or role of the account, with the true name. */
export interface FoundGrantee {
  readonly key: GranteeKey
  readonly name: string
}

/** Privileges on objects: who has them, on what, and how they are presented. */
export function createGrants({ store, people, objects }: GrantParts) {
  async function findGrantee(
    trx: Kysely<Schema> | undefined,
    actor: Actor,
    { kind, name }: Grantee,
  ): Promise<FoundGrantee> {
    const { accountId } = actor
    if (kind === 'role') {
      const role = await requireRole(store, trx, { accountId, role: name })
      return { key: { role }, name: role }
    }
    const person = await requirePerson(people, trx, { accountId, user: name })
    return { key: { userId: person.user_id }, name: person.name }
  }

  async function resolve(actor: Actor, object: AccessObject): Promise<AccessObject> {
    const found = await objects.resolve(actor, object)
    if (!found) throw new AppError('NotFound', `There is no ${objectText(object)}, or it was dropped.`)
    return found
  }

  async function toGrants(accountId: string, rows: readonly GrantRow[]): Promise<Grant[]> {
    const shown = await objects.present(accountId, rows)
    return rows.map((row, index) => {
      const { type, catalog, database, name } = shown[index] ?? row
      const object = { type, catalog, database, name }
      return {
        object,
        objectText: objectText(object),
        privileges: [...row.privileges],
        grantable: [...row.grantable],
        grantedBy: row.grantedBy,
        grantedAt: row.grantedAt.toISOString(),
      }
    })
  }

  return {
    present: objects.present,
    resolve,
    findGrantee,
    toGrants,

    async list(actor: Actor, grantee: Grantee, page: Page): Promise<{ list: Grant[]; total: number }> {
      const { key } = await findGrantee(undefined, actor, grantee)
      if ('role' in key && isBuiltIn(key.role)) {
        const list = BUILT_IN_GRANTS[key.role].map(({ type, privileges }): Grant => {
          const object = objectOf(type)
          const text = objectText(object)
          return {
            object,
            objectText: text,
            privileges: [...privileges],
            grantable: [],
            grantedBy: null,
            grantedAt: null,
          }
        })
        return { list, total: list.length }
      }
      const { list, total } = await store.grantsTo(actor.accountId, key, page)
      return { list: await toGrants(actor.accountId, list), total }
    },
  }
}

export type Grants = ReturnType<typeof createGrants>
