import { randomUUID } from 'node:crypto'
import { type BuiltInRole, permissionsOf } from '@boathouse/contract'
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
  creator: 'admin',
  isOrgAdmin: false,
  activeRoles,
  perms: permissionsOf(activeRoles),
  loginId: 'a test',
})
