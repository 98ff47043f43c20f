import { randomUUID } from 'node:crypto'
import { type BuiltInRole, permissionsOf, SHELL_STATES, withInherited } from '@boathouse/contract'
import type { Actor } from '../kernel/actor.ts'

/** Someone with these roles active, for tests of what stands behind the doors. */
export const actorWith = (
  accountId: string,
  activeRoles: readonly BuiltInRole[] = [],
  user = 'rower',
): Actor => ({
  userId: randomUUID(),
  user,
  accountId,
  region: 'local-1',
  accountState: SHELL_STATES.Active,
  creatorId: null,
  isOrgAdmin: false,
  heldRoles: activeRoles,
  identityVersion: 1,
  activeRoles: withInherited(activeRoles),
  perms: permissionsOf(withInherited(activeRoles)),
  loginId: 'a test',
})
