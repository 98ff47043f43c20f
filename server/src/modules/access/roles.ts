import { type HeldRole, isBuiltIn, LIMITS, withInherited } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import { refuseKey } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { errorCode } from '../../store/error-code.ts'
import type { Schema } from '../../store/schema.ts'
import { type Change, type ChangeParts, type From, requirePerson, requireRole } from './changes.ts'
import { createRoleEntries } from './role-entries.ts'
import { createRoleGrants } from './role-grants.ts'
import { createRoleInheritance, roleObject } from './role-inheritance.ts'

const UNIQUE_VIOLATION = '23505'

export interface RoleParts extends ChangeParts {
  readonly change: Change
}

/** Roles: what there is, who has them, what they inherit. */
export function createRoles(parts: RoleParts) {
  const { store, people, holders, rank, lastAdministrator, clock, change } = parts

  const holderIds = async (trx: Transaction<Schema>, accountId: string, role: string): Promise<string[]> =>
    (await holders(trx, accountId, role)).map(({ user_id }) => user_id)

  /** Without inherited roles. Every user has `public`, so it is not listed. */
  async function heldBy(userId: string): Promise<HeldRole[]> {
    const rows = await people.rolesOf(userId)
    return rows
      .filter(({ role }) => role !== 'public')
      .map((row) => ({
        role: row.role,
        isBuiltIn: isBuiltIn(row.role),
        active: row.active,
        grantedAt: row.granted_at.toISOString(),
      }))
  }

  return {
    ...createRoleEntries(parts),
    ...createRoleGrants(parts),
    ...createRoleInheritance({ ...parts, holderIds }),

    holderIds,

    create: (from: From, { role, comment }: { role: string; comment: string }) =>
      change(from, async (trx) => {
        const { accountId, user } = from.actor
        if ((await store.countRoles(trx, accountId)) >= LIMITS.rolesPerAccount)
          throw new AppError('LimitReached', `An account has at most ${LIMITS.rolesPerAccount} roles.`)
        try {
          await store.insertRole(trx, accountId, {
            name: role,
            comment,
            createdBy: user,
            createdAt: clock.now(),
          })
        } catch (error) {
          if (errorCode(error) !== UNIQUE_VIOLATION) throw error
          throw new AppError('NameTaken', `The role ${role} already exists.`, { cause: error })
        }
        const audit = {
          action: 'role.create',
          object: roleObject(role),
          before: null,
          after: { comment },
        } as const
        return { audit, userIds: [] }
      }),

    delete: (from: From, name: string) =>
      change(from, async (trx, revokePassedOn) => {
        const { accountId } = from.actor
        const role = await requireRole(store, trx, { accountId, role: name })
        if (isBuiltIn(role))
          throw new AppError('Conflict', `${role} is a built-in role and cannot be dropped.`)
        await rank.require(trx, from.actor, { of: { role } })
        const userIds = await holderIds(trx, accountId, role)
        await people.revokeRoleFromAll(trx, accountId, role)
        await store.forgetRole(trx, accountId, role)
        await store.deleteRole(trx, accountId, role)
        await lastAdministrator.requireLeft(trx, accountId)
        await revokePassedOn(userIds)
        return {
          audit: {
            action: 'role.delete',
            object: roleObject(role),
            before: { users: userIds.length },
            after: null,
          },
          userIds,
        }
      }),

    heldBy,

    async heldByName(accountId: string, user: string): Promise<HeldRole[]> {
      const person = await requirePerson(people, undefined, { accountId, user })
      return heldBy(person.user_id)
    },

    /** Everything that these give, in order. */
    closure: async (accountId: string, roles: readonly string[]): Promise<string[]> =>
      withInherited(await store.below(accountId, roles)),

    /** Users choose their own active roles; a user administrator chooses those of other users. */
    setActive: (from: From, { user, roles }: { user: string; roles: readonly string[] }) =>
      change(from, async (trx) => {
        const { accountId } = from.actor
        const person = await requirePerson(people, trx, { accountId, user })
        if (person.user_id === from.actor.userId) refuseKey(from.actor)
        else await rank.require(trx, from.actor, { of: person })
        const missing = roles.find((role) => role !== 'public' && !person.roles.includes(role))
        if (missing !== undefined)
          throw new AppError('NotFound', `${person.name} does not have the role ${missing}.`)
        await people.setActive(trx, person.user_id, [...roles, 'public'])
        return {
          audit: {
            action: 'user.set-roles',
            object: { type: 'user', id: person.user_id, name: person.name },
            before: null,
            after: { roles },
          },
          userIds: [person.user_id],
        }
      }),
  }
}

export type Roles = ReturnType<typeof createRoles>
