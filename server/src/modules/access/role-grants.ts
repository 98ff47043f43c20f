import { LIMITS } from '@boathouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import { type From, requireOther, requirePerson, requireRole } from './changes.ts'
import type { RoleParts } from './roles.ts'

/** Roles granted to users, and revoked from them. */
export function createRoleGrants({ store, people, rank, lastAdministrator, clock, change }: RoleParts) {
  async function requireUnderLimit(userId: string): Promise<void> {
    if ((await people.rolesOf(userId)).length >= LIMITS.rolesPerUser)
      throw new AppError('LimitReached', `A user has at most ${LIMITS.rolesPerUser} roles.`)
  }

  return {
    grantToUser: (from: From, { role: name, user }: { role: string; user: string }) =>
      change(from, async (trx) => {
        const { accountId } = from.actor
        const person = await requirePerson(people, trx, { accountId, user })
        const role = await requireRole(store, trx, { accountId, role: name })
        requireOther(from.actor, person.user_id)
        await rank.require(trx, from.actor, { of: person, moved: [role] })
        await requireUnderLimit(person.user_id)
        const isNew = await people.grantRole(trx, { userId: person.user_id, role, at: clock.now() })
        if (!isNew) throw new AppError('Conflict', `${person.name} already has the role ${role}.`)
        return {
          audit: {
            action: 'user.grant-role',
            object: { type: 'user', id: person.user_id, name: person.name },
            before: null,
            after: { role },
          },
          userIds: [person.user_id],
        }
      }),

    revokeFromUser: (from: From, { role: name, user }: { role: string; user: string }) =>
      change(from, async (trx, revokePassedOn) => {
        const { accountId } = from.actor
        const person = await requirePerson(people, trx, { accountId, user })
        const role = await requireRole(store, trx, { accountId, role: name })
        if (role === 'public') throw new AppError('Conflict', 'Every user has the role public.')
        await rank.require(trx, from.actor, { of: person, moved: [role] })
        if (role === 'account_admin' || role === 'org_admin')
          await lastAdministrator.requireOther(trx, accountId, person.user_id)
        if (!(await people.revokeRole(trx, person.user_id, role)))
          throw new AppError('NotFound', `${person.name} does not have the role ${role}.`)
        await lastAdministrator.requireLeft(trx, accountId)
        await revokePassedOn([person.user_id])
        return {
          audit: {
            action: 'user.revoke-role',
            object: { type: 'user', id: person.user_id, name: person.name },
            before: { role },
            after: null,
          },
          userIds: [person.user_id],
        }
      }),
  }
}
