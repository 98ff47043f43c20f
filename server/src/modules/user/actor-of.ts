import { permissionsOf, withInherited } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import type { Identity } from './store.ts'

export type { Identity }

/** Somebody as the database describes them. The id of the login is empty for who has none. */
export const actorOf = (row: Identity, loginId: string): Actor => ({
  userId: row.user_id,
  heldRoles: row.held_roles,
  identityVersion: row.identity_version ?? 0,
  user: row.user,
  accountId: row.account_id,
  creatorId: row.creator_id,
  region: row.region,
  accountState: row.shell_state,
  isOrgAdmin: row.is_org_admin,
  activeRoles: withInherited(row.active_roles),
  perms: permissionsOf(withInherited(row.active_roles)),
  loginId,
})
