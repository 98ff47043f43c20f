import { z } from 'zod/mini'

/** ROLE: fixed, cannot be granted more. `public` is held by everyone and always active. */
export const BUILT_IN_ROLES = [
  'account_admin',
  'user_admin',
  'org_admin',
  'cluster_admin',
  'security_admin',
  'db_admin',
  'public',
] as const

export const BuiltInRole = z.enum(BUILT_IN_ROLES)
export type BuiltInRole = z.infer<typeof BuiltInRole>

/** What the built-in roles inherit. Roles that people make can inherit any of these, never the other way round. */
const INHERITED: Partial<Record<BuiltInRole, readonly BuiltInRole[]>> = {
  org_admin: ['account_admin'],
  account_admin: ['user_admin', 'cluster_admin', 'security_admin', 'db_admin'],
}

export const isBuiltIn = (role: string): role is BuiltInRole =>
  (BUILT_IN_ROLES as readonly string[]).includes(role)

/** These roles and all that the built-in ones among them inherit, in order. */
export function withInherited(roles: readonly string[]): string[] {
  const found = new Set<string>()
  const add = (role: string): void => {
    if (found.has(role)) return
    found.add(role)
    if (isBuiltIn(role)) for (const inherited of INHERITED[role] ?? []) add(inherited)
  }
  for (const role of roles) add(role)
  return [...found].sort()
}

export const inheritedBy = (role: string): readonly BuiltInRole[] =>
  isBuiltIn(role) ? (INHERITED[role] ?? []) : []

/** What the route and menu rule looks at. */
export interface RoleHolder {
  readonly user: string
  readonly creator: string
  readonly isOrgAdmin: boolean
  readonly activeRoles: readonly string[]
}

/** One rule for guards, menu and calls: all required roles active, or organisation admin and creator. */
export const holdsRoles = (holder: RoleHolder, required: readonly BuiltInRole[]): boolean =>
  required.every((role) => role === 'public' || holder.activeRoles.includes(role)) ||
  (holder.isOrgAdmin && holder.user === holder.creator)

const ALL_PERMISSIONS = '*:*'

const PERMISSIONS: Readonly<Record<BuiltInRole, readonly string[]>> = {
  account_admin: [ALL_PERMISSIONS],
  org_admin: ['account:create', 'account:drop', 'card:bind', 'organisation:view'],
  user_admin: ['user:create', 'user:drop', 'role:create', 'role:drop', 'grant:create', 'grant:drop'],
  cluster_admin: [
    'warehouse:create',
    'warehouse:alter',
    'warehouse:drop',
    'warehouse:suspend',
    'warehouse:resume',
    'warehouse:use',
  ],
  security_admin: ['firewall:alter', 'privatelink:alter', 'audit:view'],
  db_admin: [
    'catalog:create',
    'catalog:drop',
    'catalog:use',
    'database:create',
    'database:drop',
    'table:create',
    'table:alter',
    'table:drop',
    'table:insert',
    'table:update',
    'table:delete',
    'table:select',
  ],
  public: [],
}

/** `object:action` strings of the user info: derived from the active roles, never stored. */
export function permissionsOf(activeRoles: readonly string[]): string[] {
  const found = new Set<string>()
  for (const role of activeRoles)
    // People name roles of their own: one called `constructor` must find nothing.
    if (Object.hasOwn(PERMISSIONS, role)) for (const perm of PERMISSIONS[role as BuiltInRole]) found.add(perm)
  return [...found].sort()
}

export const hasPermission = (perms: readonly string[], wanted: string): boolean =>
  perms.includes(ALL_PERMISSIONS) || perms.includes(wanted)
