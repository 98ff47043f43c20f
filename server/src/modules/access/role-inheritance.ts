import { LIMITS } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import type { Schema } from '../../store/schema.ts'
import { type From, requireChangeable, requireRole } from './changes.ts'
import type { RoleParts } from './roles.ts'

/** A role as the audit log names it. */
export const roleObject = (role: string) => ({ type: 'role', id: role, name: role })

type HolderIds = (trx: Transaction<Schema>, accountId: string, role: string) => Promise<string[]>

/** Roles granted to other roles, which then inherit them, and revoked from them. */
export function createRoleInheritance({
  holderIds,
  ...parts
}: RoleParts & { readonly holderIds: HolderIds }) {
  const { store, rank, lastAdministrator, clock, change } = parts

  return {
    grantToRole: (from: From, { role: name, toRole }: { role: string; toRole: string }) =>
      change(from, async (trx) => {
        const { accountId, user } = from.actor
        const granted = await requireRole(store, trx, { accountId, role: name })
        const role = await requireRole(store, trx, { accountId, role: toRole })
        requireChangeable(role)
        const below = await rank.closureOf(trx, accountId, [granted])
        await rank.require(trx, from.actor, { of: { role }, moved: [granted] })
        await rank.requireNoRise(trx, from.actor, { role, granted })
        if (below.includes(role))
          throw new AppError(
            'Conflict',
            `${granted} already inherits ${role}, so they would inherit each other.`,
          )
        const levels =
          (await store.depth(trx, { accountId, role }, 'up')) +
          (await store.depth(trx, { accountId, role: granted }, 'down'))
        if (levels > LIMITS.roleLevels)
          throw new AppError(
            'LimitReached',
            `The maximum depth of role inheritance is ${LIMITS.roleLevels} levels; this would be level ${levels}.`,
          )
        if (!(await store.inherit(trx, accountId, { role, granted, by: user, at: clock.now() })))
          throw new AppError('Conflict', `${role} inherits ${granted} already.`)
        return {
          audit: {
            action: 'role.grant-role',
            object: roleObject(role),
            before: null,
            after: { role: granted },
          },
          userIds: await holderIds(trx, accountId, role),
        }
      }),

    revokeFromRole: (from: From, { role: name, fromRole }: { role: string; fromRole: string }) =>
      change(from, async (trx, revokePassedOn) => {
        const { accountId } = from.actor
        const granted = await requireRole(store, trx, { accountId, role: name })
        const role = await requireRole(store, trx, { accountId, role: fromRole })
        requireChangeable(role)
        await rank.require(trx, from.actor, { of: { role }, moved: [granted] })
        if (!(await store.disinherit(trx, accountId, { role, granted })))
          throw new AppError('NotFound', `${role} does not inherit ${granted} directly.`)
        await lastAdministrator.requireLeft(trx, accountId)
        const userIds = await holderIds(trx, accountId, role)
        await revokePassedOn(userIds)
        return {
          audit: {
            action: 'role.revoke-role',
            object: roleObject(role),
            before: { role: granted },
            after: null,
          },
          userIds,
        }
      }),
  }
}
