import type { Call } from '@boathouse/contract/call'
import { perms } from '@boathouse/contract/perms'
import { hasPermission } from '@boathouse/contract/roles'
import { useAction, useActions } from '../../lib/api.ts'
import { useSession } from '../../lib/session.ts'

const LISTS: readonly Call[] = [perms.listRoles, perms.listUsers]
const SHOWN: readonly Call[] = [
  ...LISTS,
  perms.describeRole,
  perms.describeUser,
  perms.userRoles,
  perms.userGrants,
  perms.effectivePrivileges,
  perms.rolesRole,
  perms.roleGrants,
  perms.roleMatrix,
  perms.rolesUser,
  perms.effect,
  perms.explain,
]

/** A change of access; everything that these pages show of it is loaded again. The dialog shows a refusal. */
export const useChange = <C extends Call>(call: C) => useAction(call, { silent: true, refreshes: SHOWN })

/** The same change of several objects. */
export const useChanges = <C extends Call>(call: C) => useActions(call, { silent: true, refreshes: SHOWN })

/** The page must not load again what was removed. */
export const useRemoval = <C extends Call>(call: C) => useAction(call, { silent: true, refreshes: LISTS })

export const useMay = (permission: string): boolean =>
  hasPermission(useSession().user?.perms ?? [], permission)
