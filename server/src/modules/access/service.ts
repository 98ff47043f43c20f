import type { Kysely, Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import type { Authority } from './authority.ts'
import { type ChangeParts, createChange, requireRole } from './changes.ts'
import { createEffect } from './effect.ts'
import { createEffective } from './effective.ts'
import { createRoleMatrix } from './role-matrix.ts'
import { createExplain } from './explain.ts'
import { createHolders } from './holders.ts'
import { createGranting } from './granting.ts'
import { createGrants, type ObjectLookup } from './grants.ts'
import { createLastAdministrator } from './last-administrator.ts'
import { createPassedOn } from './passed-on.ts'
import { createPeopleStore } from '../user/people-with-roles-store.ts'
import { createPeople, type PeopleParts } from './people.ts'
import { createRank } from './rank.ts'
import { createRoles } from './roles.ts'
import { createAccessStore } from './store.ts'
import { createPathsOf } from './paths-down.ts'

export interface AccessParts
  extends
    Pick<ChangeParts, 'transaction' | 'clock' | 'onChanged'>,
    Pick<PeopleParts, 'links' | 'mails' | 'logins' | 'requireAccepted'> {
  readonly db: Kysely<Schema>
  readonly authority: Authority
  readonly objects: ObjectLookup
}

/** What people may do: roles, privileges, and the one function that decides. */
export function createAccess(options: AccessParts) {
  const { db, transaction, clock, onChanged, links, mails, logins, authority, objects } = options
  const { requireAccepted } = options
  const store = createAccessStore(db)
  const peopleStore = createPeopleStore(db)
  const holders = createHolders({ store, people: peopleStore })
  const rank = createRank({ store, authority })
  const passedOn = createPassedOn({ store, people: peopleStore, holders, rank })
  const lastAdministrator = createLastAdministrator({ people: peopleStore, holders })
  const shared = { transaction, store, people: peopleStore, holders, clock, onChanged }
  const parts = { ...shared, rank, passedOn, lastAdministrator }
  const change = createChange(parts)
  const roles = createRoles({ ...parts, change })
  const grants = createGrants({ store, people: peopleStore, objects })
  const granting = createGranting({ ...parts, change, authority, roles, grants })
  const people = createPeople({ ...parts, change, links, mails, logins, requireAccepted })
  const pathsOf = createPathsOf({ store, people: peopleStore })
  return {
    authority,
    roles,
    grants: { ...grants, ...granting },
    people,
    explain: createExplain({ store, people: peopleStore, grants, pathsOf }),
    roleMatrix: createRoleMatrix({ store, grants }),
    effective: createEffective({ store, people: peopleStore, grants, pathsOf }),
    effect: createEffect({ db, store, peopleStore, holders, grants, granting, roles, people }),

    /** Nobody changes who is above them. */
    requireRank: rank.require,

    /** For who removes a user in another way than by `people`. */
    async beforeRemoval(trx: Transaction<Schema>, accountId: string, userId: string): Promise<void> {
      await store.lock(trx, accountId)
      await peopleStore.revokeAllRoles(trx, userId)
      await store.forgetUser(trx, accountId, userId)
      await passedOn.revoke(trx, accountId, [userId])
    },

    async withRole(accountId: string, name: string, page: Parameters<typeof peopleStore.list>[1]) {
      const role = await requireRole(store, undefined, { accountId, role: name })
      return peopleStore.listWithRole(accountId, role, page)
    },
  }
}

export type Access = ReturnType<typeof createAccess>
