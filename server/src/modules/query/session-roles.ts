import { permissionsOf } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Connection } from './connections.ts'

/** Kept among the connection's variables under a name that SET cannot reach. */
const KEY = 'active roles'

/** The actor as this connection sees them: with all active roles, or with those that SET ROLE left. */
export function actorIn(connection: Connection | null, actor: Actor): Actor {
  const chosen = connection?.variables[KEY]
  if (chosen === undefined) return actor
  const names = new Set(chosen.split('\n'))
  const activeRoles = actor.activeRoles.filter((role) => names.has(role))
  // Nor does the creator's exemption hold here: whoever narrows their roles means it.
  return { ...actor, activeRoles, perms: permissionsOf(activeRoles), isOrgAdmin: false }
}

/** The variables after SET ROLE. It narrows what the user has active, and never widens it. */
export function withRoles(
  connection: Connection,
  actor: Actor,
  roles: readonly string[] | 'ALL' | 'DEFAULT' | 'NONE',
): Connection['variables'] {
  const { [KEY]: _, ...others } = connection.variables
  if (roles === 'ALL' || roles === 'DEFAULT') return others
  if (roles === 'NONE') return { ...others, [KEY]: '' }
  const missing = roles.find((role) => !actor.activeRoles.includes(role))
  if (missing !== undefined)
    throw new AppError('QueryFailed', `The role ${missing} does not exist, or it is not active for you.`)
  return { ...others, [KEY]: roles.join('\n') }
}

/** What SHOW VARIABLES lists of them. */
export const shownVariables = (connection: Connection): Record<string, string> => {
  const { [KEY]: _, ...shown } = connection.variables
  return shown
}
