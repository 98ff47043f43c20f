import type { PlannedChange } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { type From, Rehearsed } from './changes.ts'
import type { Granting } from './granting.ts'
import type { Revoked } from './passed-on.ts'
import type { People } from './people.ts'
import type { Roles } from './roles.ts'

/** Makes a planned change and rolls it back, so that the same code that makes it says what it would take from others. */
export function createRehearsal({
  granting,
  roles,
  people,
}: {
  granting: Pick<Granting, 'revoke'>
  roles: Pick<Roles, 'revokeFromUser' | 'revokeFromRole' | 'delete'>
  people: Pick<People, 'delete'>
}) {
  return async function rehearse(actor: Actor, planned: PlannedChange): Promise<readonly Revoked[]> {
    const from: From = { actor, clientIp: '', isRehearsal: true }
    const { kind, name } = planned.grantee
    try {
      if (planned.change === 'revoke-privileges') await granting.revoke(from, planned)
      else if (planned.change === 'revoke-role')
        await (kind === 'user'
          ? roles.revokeFromUser(from, { role: planned.role, user: name })
          : roles.revokeFromRole(from, { role: planned.role, fromRole: name }))
      else if (planned.change === 'delete')
        await (kind === 'user' ? people.delete(from, name) : roles.delete(from, name))
      return []
    } catch (error) {
      if (error instanceof Rehearsed) return error.taken
      throw error
    }
  }
}
