import type { Call } from '@boathouse/contract/call'
import { perms } from '@boathouse/contract/perms'
import { hasPermission } from '@boathouse/contract/roles'
import { useAction } from '../../lib/api.ts'
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
  perms.rolesUser,
  perms.effect,
  perms.explain,
]

/** A change of who may do what; whatever these pages show of it is asked for again. The dialog tells a refusal. */
export const useChange = <C extends Call>(call: C) => useAction(call, { silent: true, refreshes: SHOWN })

/** What is gone must not be asked for again by the page that showed it. */
export const useRemoval = <C extends Call>(call: C) => useAction(call, { silent: true, refreshes: LISTS })

export const useMay = (permission: string): boolean =>
  hasPermission(useSession().user?.perms ?? [], permission)
