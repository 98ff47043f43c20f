import {
  BUILT_IN_GRANTS,
  BUILT_IN_ROLES,
  type HeldRole,
  inheritedBy,
  isBuiltIn,
  LIMITS,
  type RoleEntry,
  withInherited,
} from '@boathouse/contract'
import type { Transaction } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import { errorCode } from '../../store/error-code.ts'
import type { Schema } from '../../store/schema.ts'
import {
  type Change,
  type ChangeParts,
  type From,
  requireChangeable,
  requireOther,
  requirePerson,
  requireRole,
} from './changes.ts'
import type { Page } from '../../store/page.ts'
import type { RoleRow } from './store.ts'

const UNIQUE_VIOLATION = '23505'

const countOf = (rows: readonly { role: string | null; count: number }[], role: string): number =>
  rows.find((row) => row.role === role)?.count ?? 0

const roleObject = (role: string) => ({ type: 'role', id: role, name: role })

export interface RoleParts extends ChangeParts {
  readonly change: Change
}

/** Roles: what there is, who has them, what they inherit. */
export function createRoles(parts: RoleParts) {
  const { store, people, holders, rank, lastAdministrator, clock, change } = parts

  async function entriesOf(accountId: string, rows: readonly (RoleRow | string)[]): Promise<RoleEntry[]> {
    const names = rows.map((row) => (typeof row === 'string' ? row : row.name))
    const [users, grants, edges] = await Promise.all([
      people.countByRole(accountId, names),
      store.countGrants(accountId, names),
      store.inheritedOf(accountId, names),
    ])
    return rows.map((row) => {
      const role = typeof row === 'string' ? row : row.name
      const own = edges.filter((edge) => edge.role === role).map(({ granted }) => granted)
      return {
        role,
        comment: typeof row === 'string' ? '' : row.comment,
        isBuiltIn: typeof row === 'string',
        users: countOf(users, role),
        roles: [...inheritedBy(role), ...own],
        grants: isBuiltIn(role) ? BUILT_IN_GRANTS[role].length : countOf(grants, role),
        createdBy: typeof row === 'string' ? null : row.createdBy,
        createdAt: typeof row === 'string' ? null : row.createdAt.toISOString(),
      }
    })
  }

  const holderIds = async (trx: Transaction<Schema>, accountId: string, role: string): Promise<string[]> =>
    (await holders(trx, accountId, role)).map(({ user_id }) => user_id)

  async function requireUnderLimit(userId: string): Promise<void> {
    if ((await people.rolesOf(userId)).length >= LIMITS.rolesPerUser)
      throw new AppError('LimitReached', `A user has at most ${LIMITS.rolesPerUser} roles.`)
  }

  /** ROLE-19: without what they inherit. `public` is everyone's and not listed. */
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
    holderIds,

    async list(accountId: string, { search, page, pageSize }: Page) {
      const wanted = search.toLowerCase()
      const builtIn = [...BUILT_IN_ROLES].filter((role) => role.includes(wanted))
      const from = (page - 1) * pageSize
      const shown = builtIn.slice(from, from + pageSize)
      const offset = Math.max(0, from - builtIn.length)
      const { list, total } = await store.rolesOf(accountId, {
        search,
        offset,
        limit: pageSize - shown.length,
      })
      return { list: await entriesOf(accountId, [...shown, ...list]), total: builtIn.length + total }
    },

    async describe(accountId: string, name: string): Promise<RoleEntry> {
      const role = await requireRole(store, undefined, { accountId, role: name })
      const row = isBuiltIn(role) ? role : await store.findRole(accountId, role)
      const [entry] = row ? await entriesOf(accountId, [row]) : []
      if (!entry) throw new AppError('NotFound', `There is no role ${name} in this account.`)
      return entry
    },

    async inheritance(accountId: string, name: string) {
      const role = await requireRole(store, undefined, { accountId, role: name })
      const edges = await store.inheritedOf(accountId, [role])
      const above = await store.inheriting(accountId, role)
      const allBelow = withInherited(await store.below(accountId, [role]))
      const builtInAbove = BUILT_IN_ROLES.filter((other) =>
        inheritedBy(other).some((below) => below === role),
      )
      return {
        roles: [...inheritedBy(role), ...edges.map(({ granted }) => granted)],
        inheritedBy: [...builtInAbove, ...above],
        adminRoles: allBelow.filter(isBuiltIn).filter((one) => one !== 'public'),
      }
    },

    /** ROLE-28 */
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
      change(from, async (trx, takeBack) => {
        const { accountId } = from.actor
        const role = await requireRole(store, trx, { accountId, role: name })
        if (isBuiltIn(role))
          throw new AppError('Conflict', `${role} is a built-in role and cannot be dropped.`)
        await rank.require(trx, from.actor, { of: { role } })
        const userIds = await holderIds(trx, accountId, role)
        await people.takeRoleFromAll(trx, accountId, role)
        await store.forgetRole(trx, accountId, role)
        await store.deleteRole(trx, accountId, role)
        await lastAdministrator.requireLeft(trx, accountId)
        await takeBack(userIds)
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

    giveToUser: (from: From, { role: name, user }: { role: string; user: string }) =>
      change(from, async (trx) => {
        const { accountId } = from.actor
        const person = await requirePerson(people, trx, { accountId, user })
        const role = await requireRole(store, trx, { accountId, role: name })
        requireOther(from.actor, person.user_id)
        await rank.require(trx, from.actor, { of: person, moved: [role] })
        await requireUnderLimit(person.user_id)
        const isNew = await people.giveRole(trx, { userId: person.user_id, role, at: clock.now() })
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

    takeFromUser: (from: From, { role: name, user }: { role: string; user: string }) =>
      change(from, async (trx, takeBack) => {
        const { accountId } = from.actor
        const person = await requirePerson(people, trx, { accountId, user })
        const role = await requireRole(store, trx, { accountId, role: name })
        if (role === 'public') throw new AppError('Conflict', 'Every user has the role public.')
        await rank.require(trx, from.actor, { of: person, moved: [role] })
        if (role === 'account_admin' || role === 'org_admin')
          await lastAdministrator.requireOther(trx, accountId, person.user_id)
        if (!(await people.takeRole(trx, person.user_id, role)))
          throw new AppError('NotFound', `${person.name} does not have the role ${role}.`)
        await lastAdministrator.requireLeft(trx, accountId)
        await takeBack([person.user_id])
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

    giveToRole: (from: From, { role: name, toRole }: { role: string; toRole: string }) =>
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

    takeFromRole: (from: From, { role: name, fromRole }: { role: string; fromRole: string }) =>
      change(from, async (trx, takeBack) => {
        const { accountId } = from.actor
        const granted = await requireRole(store, trx, { accountId, role: name })
        const role = await requireRole(store, trx, { accountId, role: fromRole })
        requireChangeable(role)
        await rank.require(trx, from.actor, { of: { role }, moved: [granted] })
        if (!(await store.disinherit(trx, accountId, { role, granted })))
          throw new AppError('NotFound', `${role} does not inherit ${granted} directly.`)
        await lastAdministrator.requireLeft(trx, accountId)
        const userIds = await holderIds(trx, accountId, role)
        await takeBack(userIds)
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

    heldBy,

    async heldByName(accountId: string, user: string): Promise<HeldRole[]> {
      const person = await requirePerson(people, undefined, { accountId, user })
      return heldBy(person.user_id)
    },

    /** Everything that these give, in order. */
    closure: async (accountId: string, roles: readonly string[]): Promise<string[]> =>
      withInherited(await store.below(accountId, roles)),

    /** ROLE-20, ROLE-21: of whoever asks, or by an administrator of users for somebody else. */
    setActive: (from: From, { user, roles }: { user: string; roles: readonly string[] }) =>
      change(from, async (trx) => {
        const { accountId } = from.actor
        const person = await requirePerson(people, trx, { accountId, user })
        if (person.user_id !== from.actor.userId) await rank.require(trx, from.actor, { of: person })
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
