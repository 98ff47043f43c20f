import { z } from 'zod/mini'
import { Effect, Grantee } from './access-effect.ts'
import { defineCall } from './call.ts'
import { Grant, HeldRole } from './held-rights.ts'
import { LIMITS } from './limits.ts'
import { Email } from './mail-address.ts'
import { AccessObject, Privilege } from './privileges.ts'
import { BuiltInRole } from './roles.ts'
import { AnyRole, EncodedGivenPassword, NewUserName, RoleName } from './people-rules.ts'
import { MESSAGES, UserName } from './rules.ts'

import { EffectiveGrant, PathStep, roleMatrix } from './role-matrix.ts'

export type { Grantee } from './access-effect.ts'
export { EffectiveGrant, MATRIX_TYPES, type MatrixType, PathStep } from './role-matrix.ts'
export { Grant, HeldRole } from './held-rights.ts'

/** On every call of this module. */
const ROLE_CALL_MS = 5_000

const userAdmin = { roles: ['user_admin'] } as const

export const RoleEntry = z.object({
  role: z.string(),
  comment: z.string(),
  isBuiltIn: z.boolean(),
  /** Who was given it, and not by way of another role. */
  users: z.int(),
  /** What it inherits directly. */
  roles: z.array(z.string()),
  /** Objects on which it was given privileges. */
  grants: z.int(),
  createdBy: z.nullable(z.string()),
  createdAt: z.nullable(z.string()),
})
export type RoleEntry = z.infer<typeof RoleEntry>

export const UserEntry = z.object({
  user: z.string(),
  email: z.string(),
  /** Has no password, no mail address and no console: programs come in with its API keys. */
  isService: z.boolean(),
  /** Has not chosen a password yet. */
  isInvited: z.boolean(),
  isCreator: z.boolean(),
  roles: z.array(z.string()),
  createdAt: z.string(),
  lastUsedAt: z.nullable(z.string()),
})
export type UserEntry = z.infer<typeof UserEntry>

const Page = {
  search: z._default(z.string().check(z.maxLength(64)), ''),
  page: z._default(z.int().check(z.minimum(1)), 1),
  pageSize: z._default(z.int().check(z.minimum(1), z.maximum(LIMITS.pageSize)), 20),
}

const Privileges = z.array(Privilege).check(z.minLength(1, 'Choose a privilege'), z.maxLength(16))
const ToUser = { user: UserName }
const ToRole = { role: AnyRole }

const grantInput = <T extends Record<string, z.ZodMiniType>>(to: T) =>
  z.object({
    ...to,
    object: AccessObject,
    privileges: Privileges,
    withGrantOption: z._default(z.boolean(), false),
  })
const revokeInput = <T extends Record<string, z.ZodMiniType>>(from: T) =>
  z.object({ ...from, object: AccessObject, privileges: Privileges })

/** Who is given something. */

/** A change that was not made yet; see `effect`. */
export const PlannedChange = z.discriminatedUnion('change', [
  z.object({ change: z.literal(['grant-role', 'revoke-role']), role: AnyRole, grantee: Grantee }),
  z.object({
    change: z.literal(['grant-privileges', 'revoke-privileges']),
    ...revokeInput({ grantee: Grantee }).shape,
  }),
  z.object({ change: z.literal('delete'), grantee: Grantee }),
])
export type PlannedChange = z.infer<typeof PlannedChange>

/** What asks is given up soon. A change has the time of any call: one that was given up may still be made. */
const roleCall: typeof defineCall = (draft) => defineCall({ timeoutMs: ROLE_CALL_MS, ...draft })
const empty = z.object({})
const none = z.object({})
const changeFails = ['NotFound', 'NoPermission', 'Conflict', 'LimitReached'] as const

export const perms = {
  allRoles: roleCall({
    path: '/perms/all-roles',
    summary: 'List your roles: direct ones, and all including inherited ones',
    needs: 'login',
    silent: true,
    input: none,
    output: z.object({ allRoles: z.array(z.string()), directRoles: z.array(HeldRole) }),
  }),
  setRoles: roleCall({
    path: '/perms/set-roles',
    summary: 'Set your active roles, now and at each sign-in; public is always active',
    needs: 'login',
    refusesKeys: true,
    input: z.object({ roles: z.array(AnyRole).check(z.maxLength(LIMITS.rolesPerUser)) }),
    output: z.object({ roles: z.array(z.string()) }),
    fails: ['NotFound', 'Conflict'],
  }),
  getDefaultRoles: roleCall({
    path: '/perms/get-default-roles',
    summary: 'List your roles that become active at sign-in',
    needs: 'login',
    silent: true,
    input: none,
    output: z.object({ roles: z.array(z.string()) }),
  }),
  getActiveRecursionRoles: roleCall({
    path: '/perms/get-active-recursion-roles',
    summary: 'List your active roles, including inherited ones',
    needs: 'login',
    silent: true,
    input: none,
    output: z.object({ roles: z.array(z.string()) }),
  }),
  listRoles: roleCall({
    path: '/perms/list-roles',
    summary: 'List the roles of the account, built-in ones first',
    needs: userAdmin,
    render: true,
    input: z.object(Page),
    output: z.object({ list: z.array(RoleEntry), total: z.int() }),
  }),
  listUsers: roleCall({
    path: '/perms/list-users',
    summary: 'List the users of the account by name',
    needs: userAdmin,
    render: true,
    input: z.object(Page),
    output: z.object({ list: z.array(UserEntry), total: z.int() }),
  }),
  describeRole: roleCall({
    path: '/perms/describe-role',
    summary: 'Get one role',
    needs: userAdmin,
    render: true,
    input: z.object(ToRole),
    output: RoleEntry,
    fails: ['NotFound'],
  }),
  describeUser: roleCall({
    path: '/perms/describe-user',
    summary: 'Get one user',
    needs: userAdmin,
    render: true,
    input: z.object(ToUser),
    output: UserEntry,
    fails: ['NotFound'],
  }),
  createUser: defineCall({
    path: '/perms/create-user',
    summary: 'Create a user, invited by mail or with a password, or a service user',
    needs: userAdmin,
    input: z.object({
      user: NewUserName,
      email: z._default(z.nullable(Email), null),
      password: z._default(z.nullable(EncodedGivenPassword), null),
      roles: z._default(z.array(AnyRole).check(z.maxLength(LIMITS.rolesPerUser)), []),
      /** For a program: without password and mail address, with API keys instead. */
      isService: z._default(z.boolean(), false),
    }),
    output: z.object({ user: z.string(), mailedTo: z.nullable(z.string()) }),
    fails: ['NameTaken', 'BadInput', 'NotBusinessEmail', ...changeFails],
  }),
  /** It counts at once; the address before it is notified. One's own is changed by `/user/request-email-change`. */
  setUserEmail: defineCall({
    path: '/perms/set-user-email',
    summary: 'Give another user a mail address, to which links to reset the password go',
    needs: userAdmin,
    refusesKeys: true,
    input: z.object({ ...ToUser, email: Email }),
    output: empty,
    fails: ['NotFound', 'NoPermission', 'Conflict', 'NameTaken', 'NotBusinessEmail'],
  }),
  deleteUser: defineCall({
    path: '/perms/delete-user',
    summary: 'Delete a user and their grants; they are logged out at once',
    needs: userAdmin,
    input: z.object(ToUser),
    output: empty,
    fails: ['NotFound', 'NoPermission', 'Conflict'],
  }),
  userRoles: roleCall({
    path: '/perms/user-roles',
    summary: 'List the roles granted to a user, without inherited ones',
    needs: userAdmin,
    render: true,
    input: z.object(ToUser),
    output: z.object({ roles: z.array(HeldRole) }),
    fails: ['NotFound'],
  }),
  grantRoleToUser: defineCall({
    path: '/perms/grant-role-to-user',
    summary: 'Grant a role to a user; it is active at once',
    needs: userAdmin,
    input: z.object({ role: AnyRole, ...ToUser }),
    output: empty,
    fails: changeFails,
  }),
  revokeRoleFromUser: defineCall({
    path: '/perms/revoke-role-from-user',
    summary: 'Revoke a role from a user',
    needs: userAdmin,
    input: z.object({ role: AnyRole, ...ToUser }),
    output: empty,
    fails: changeFails,
  }),
  userGrants: roleCall({
    path: '/perms/user-grants',
    summary: 'List the privileges granted to a user, without those of roles',
    needs: userAdmin,
    render: true,
    input: z.object({ ...ToUser, ...Page }),
    output: z.object({ list: z.array(Grant), total: z.int() }),
    fails: ['NotFound'],
  }),
  effectivePrivileges: roleCall({
    path: '/perms/effective-privileges',
    summary: 'Privileges that a user has, their own and by roles that are active, each with the way to it',
    needs: userAdmin,
    render: true,
    input: z.object({ ...ToUser, ...Page }),
    output: z.object({ list: z.array(EffectiveGrant), total: z.int() }),
    fails: ['NotFound'],
  }),
  /** Also for who holds the privilege with the option to pass it on. */
  grantPrivToUser: defineCall({
    path: '/perms/grant-priv-to-user',
    summary: 'Grant privileges on one object, or on all of a type, to a user',
    needs: 'login',
    input: grantInput(ToUser),
    output: empty,
    fails: changeFails,
  }),
  revokePrivFromUser: defineCall({
    path: '/perms/revoke-priv-from-user',
    summary: 'Revoke privileges from a user',
    needs: 'login',
    input: revokeInput(ToUser),
    output: empty,
    fails: changeFails,
  }),
  createRole: defineCall({
    path: '/perms/create-role',
    summary: 'Create a role without privileges',
    needs: userAdmin,
    input: z.object({
      role: RoleName,
      comment: z._default(
        z
          .string()
          .check(z.maxLength(LIMITS.descriptionLength, MESSAGES.maximumLength(LIMITS.descriptionLength))),
        '',
      ),
    }),
    output: empty,
    fails: ['NameTaken', 'LimitReached'],
  }),
  deleteRole: defineCall({
    path: '/perms/delete-role',
    summary: 'Delete a role and its privileges, and revoke it from all users',
    needs: userAdmin,
    input: z.object(ToRole),
    output: empty,
    fails: ['NotFound', 'NoPermission', 'Conflict'],
  }),
  rolesRole: roleCall({
    path: '/perms/roles-role',
    summary: 'List the roles that a role inherits, those that inherit it, and the admin roles it includes',
    needs: userAdmin,
    render: true,
    input: z.object(ToRole),
    output: z.object({
      roles: z.array(z.string()),
      inheritedBy: z.array(z.string()),
      /** Built-in roles whose rights come with it, at any depth, itself included. */
      adminRoles: z.array(BuiltInRole),
    }),
    fails: ['NotFound'],
  }),
  grantRoleToRole: defineCall({
    path: '/perms/grant-role-to-role',
    summary: 'Let `toRole` inherit `role`',
    needs: userAdmin,
    input: z.object({ role: AnyRole, toRole: AnyRole }),
    output: empty,
    fails: changeFails,
  }),
  revokeRoleFromRole: defineCall({
    path: '/perms/revoke-role-from-role',
    summary: 'Stop `fromRole` inheriting `role`',
    needs: userAdmin,
    input: z.object({ role: AnyRole, fromRole: AnyRole }),
    output: empty,
    fails: changeFails,
  }),
  roleGrants: roleCall({
    path: '/perms/role-grants',
    summary: 'List the privileges granted to a role',
    needs: userAdmin,
    render: true,
    input: z.object({ ...ToRole, ...Page }),
    output: z.object({ list: z.array(Grant), total: z.int() }),
    fails: ['NotFound'],
  }),
  roleMatrix,
  rolesUser: roleCall({
    path: '/perms/roles-user',
    summary: 'List the users with a role',
    needs: userAdmin,
    render: true,
    input: z.object({ ...ToRole, ...Page }),
    output: z.object({ list: z.array(UserEntry), total: z.int() }),
    fails: ['NotFound'],
  }),
  grantPrivToRole: defineCall({
    path: '/perms/grant-priv-to-role',
    summary: 'Grant privileges on one object, or on all of a type, to a role',
    needs: 'login',
    input: grantInput(ToRole),
    output: empty,
    fails: changeFails,
  }),
  revokePrivFromRole: defineCall({
    path: '/perms/revoke-priv-from-role',
    summary: 'Revoke privileges from a role',
    needs: 'login',
    input: revokeInput(ToRole),
    output: empty,
    fails: changeFails,
  }),
  effect: roleCall({
    path: '/perms/effect',
    summary: 'Preview the effect of a change',
    needs: userAdmin,
    silent: true,
    input: z.object({ planned: PlannedChange }),
    output: Effect,
    fails: changeFails,
  }),
  explain: roleCall({
    path: '/perms/explain',
    summary: 'Explain why a user has access, or what is missing and which roles have it',
    needs: userAdmin,
    input: z.object({ ...ToUser, privilege: Privilege, object: AccessObject }),
    output: z.object({
      allowed: z.boolean(),
      path: z.array(PathStep),
      /** Empty when it is allowed. */
      missing: z.string(),
      /** Roles that hold it, and so would help. */
      rolesThatHelp: z.array(z.string()),
    }),
    fails: ['NotFound'],
  }),
}
