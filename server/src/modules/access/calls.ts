import { type Grantee, perms } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { Access } from './service.ts'

const DONE = {}
const user = (name: string): Grantee => ({ kind: 'user', name })
const role = (name: string): Grantee => ({ kind: 'role', name })

export const accessCalls = ({
  roles,
  grants,
  people,
  withRole,
  explain,
  effective,
  roleMatrix,
  effect,
}: Access) =>
  implement(perms, {
    allRoles: async ({ actor }) => {
      const directRoles = await roles.heldBy(actor.userId)
      const names = directRoles.map((held) => held.role)
      return { directRoles, allRoles: await roles.closure(actor.accountId, [...names, 'public']) }
    },
    setRoles: async (from, input) => {
      await roles.setActive(from, { user: from.actor.user, roles: input.roles })
      return { roles: await roles.closure(from.actor.accountId, [...input.roles, 'public']) }
    },
    getDefaultRoles: async ({ actor }) => {
      const held = await roles.heldBy(actor.userId)
      return { roles: held.filter(({ active }) => active).map((one) => one.role) }
    },
    getActiveRecursionRoles: async ({ actor }) => ({ roles: [...actor.activeRoles] }),

    listRoles: ({ actor }, page) => roles.list(actor.accountId, page),
    listUsers: ({ actor }, page) => people.list(actor.accountId, page),
    describeRole: ({ actor }, input) => roles.describe(actor.accountId, input.role),
    describeUser: ({ actor }, input) => people.describe(actor.accountId, input.user),
    createUser: (from, draft) => people.create(from, draft),
    setUserEmail: async (from, input) => {
      await people.setEmail(from, input)
      return DONE
    },
    deleteUser: async (from, input) => {
      await people.delete(from, input.user)
      return DONE
    },

    userRoles: async ({ actor }, input) => ({ roles: await roles.heldByName(actor.accountId, input.user) }),
    grantRoleToUser: async (from, input) => {
      await roles.grantToUser(from, input)
      return DONE
    },
    revokeRoleFromUser: async (from, input) => {
      await roles.revokeFromUser(from, input)
      return DONE
    },
    userGrants: ({ actor }, { user: name, ...page }) => grants.list(actor, user(name), page),
    effectivePrivileges: ({ actor }, { user: name, ...page }) => effective(actor, name, page),
    grantPrivToUser: async (from, { user: name, ...order }) => {
      await grants.grant(from, { grantee: user(name), ...order })
      return DONE
    },
    revokePrivFromUser: async (from, { user: name, ...order }) => {
      await grants.revoke(from, { grantee: user(name), ...order })
      return DONE
    },

    createRole: async (from, draft) => {
      await roles.create(from, draft)
      return DONE
    },
    deleteRole: async (from, input) => {
      await roles.delete(from, input.role)
      return DONE
    },
    rolesRole: ({ actor }, input) => roles.inheritance(actor.accountId, input.role),
    grantRoleToRole: async (from, input) => {
      await roles.grantToRole(from, input)
      return DONE
    },
    revokeRoleFromRole: async (from, input) => {
      await roles.revokeFromRole(from, input)
      return DONE
    },
    roleGrants: ({ actor }, { role: name, ...page }) => grants.list(actor, role(name), page),
    roleMatrix: ({ actor }, asked) => roleMatrix(actor, asked),
    rolesUser: ({ actor }, { role: name, ...page }) => withRole(actor.accountId, name, page),
    grantPrivToRole: async (from, { role: name, ...order }) => {
      await grants.grant(from, { grantee: role(name), ...order })
      return DONE
    },
    revokePrivFromRole: async (from, { role: name, ...order }) => {
      await grants.revoke(from, { grantee: role(name), ...order })
      return DONE
    },
    effect: ({ actor }, { planned }) => effect(actor, planned),
    explain: ({ actor }, question) => explain(actor, question),
  })
