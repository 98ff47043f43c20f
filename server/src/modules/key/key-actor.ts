import { permissionsOf } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import type { Authority } from '../access/authority.ts'
import type { KeyRow } from './store.ts'

/** Its user with the roles that it may use: of those that were chosen for it, the ones that its user still has. */
export async function keyActorOf(
  user: Actor,
  { key_id: keyId, name, roles: chosen }: KeyRow,
  { closure }: Pick<Authority, 'closure'>,
): Promise<Actor> {
  const key = { keyId, name, heldByUser: user.heldRoles }
  if (chosen === null) return { ...user, key }
  const heldRoles = user.heldRoles.filter((role) => role === 'public' || chosen.includes(role))
  const activeRoles = await closure(user, heldRoles)
  const isOrgAdmin = user.isOrgAdmin && heldRoles.includes('org_admin')
  return { ...user, key, heldRoles, activeRoles, perms: permissionsOf(activeRoles), isOrgAdmin }
}
