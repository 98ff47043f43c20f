import type { Kysely } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import type { Authority } from './authority.ts'
import { type ChangeParts, createChange, requireRole } from './changes.ts'
import { createEffect } from './effect.ts'
import { createExplain } from './explain.ts'
import { createHolders } from './holders.ts'
import { createGrants, type KnownObjects } from './grants.ts'
import { createPeopleStore } from '../user/people-with-roles-store.ts'
import { createPeople, type PeopleParts } from './people.ts'
import { createRoles } from './roles.ts'
import { createAccessStore } from './store.ts'

export interface AccessParts
  extends
    Pick<ChangeParts, 'transaction' | 'clock' | 'onChanged'>,
    Pick<PeopleParts, 'links' | 'mails' | 'logins' | 'requireAccepted'> {
  readonly db: Kysely<Schema>
  readonly authority: Authority
  readonly objects: KnownObjects
}

/** What people may do: roles, privileges, and the one function that decides. */
export function createAccess(options: AccessParts) {
  const { db, transaction, clock, onChanged, links, mails, logins, authority, objects } = options
  const { requireAccepted } = options
  const store = createAccessStore(db)
  const peopleStore = createPeopleStore(db)
  const holders = createHolders({ store, people: peopleStore })
  const parts = { transaction, store, people: peopleStore, holders, clock, onChanged }
  const change = createChange(parts)
  const roles = createRoles({ ...parts, change })
  const grants = createGrants({ ...parts, change, authority, roles, objects })
  const people = createPeople({ ...parts, change, roles, links, mails, logins, requireAccepted })
  return {
    authority,
    roles,
    grants,
    people,
    explain: createExplain({ store, people: peopleStore, grants }),
    effect: createEffect({ db, store, people: peopleStore, holders, grants }),

    async withRole(accountId: string, name: string, page: Parameters<typeof peopleStore.list>[1]) {
      const role = await requireRole(store, undefined, { accountId, role: name })
      return peopleStore.listWithRole(accountId, role, page)
    },
  }
}

export type Access = ReturnType<typeof createAccess>
