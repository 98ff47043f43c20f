import { permissionsOf } from '@boathouse/contract'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Privileges } from '../gate/authorize-statement.ts'
import type { Connection } from './connection.ts'

/** Kept among the connection's variables under a name that SET cannot reach. */
const KEY = 'active roles'
const ALL = '*'

/** The actor as this connection sees them: with the roles that are active, or with those that SET ROLE chose. */
export async function actorIn(
  connection: Connection,
  actor: Actor,
  { closure }: Pick<Privileges, 'closure'>,
): Promise<Actor> {
  const chosen = connection.variables[KEY]
  if (chosen === undefined) return actor
  const names = new Set(chosen.split('\n'))
  const roles = actor.heldRoles.filter((role) => chosen === ALL || names.has(role))
  const activeRoles = await closure(actor, roles)
  // The creator's exemption does not apply either: a user who chooses roles wants only those.
  return { ...actor, activeRoles, perms: permissionsOf(activeRoles), isOrgAdmin: false }
}

/** The variables after SET ROLE, which chooses among the roles that the user was given, active or not. */
export function withRoles(
  connection: Connection,
  actor: Actor,
  roles: readonly string[] | 'ALL' | 'DEFAULT' | 'NONE',
): Connection['variables'] {
  const { [KEY]: _, ...others } = connection.variables
  if (roles === 'DEFAULT') return others
  if (roles === 'ALL') return { ...others, [KEY]: ALL }
  if (roles === 'NONE') return { ...others, [KEY]: '' }
  const missing = roles.find((role) => !actor.heldRoles.includes(role))
  if (missing !== undefined)
    throw new AppError('QueryFailed', `The role ${missing} does not exist, or it is not granted to you.`)
  return { ...others, [KEY]: roles.join('\n') }
}

/** What CURRENT_ROLE() answers: of the roles that somebody was given, those that are active. */
export function rolesText({ heldRoles, activeRoles }: Pick<Actor, 'heldRoles' | 'activeRoles'>): string {
  const active = heldRoles.filter((role) => role !== 'public' && activeRoles.includes(role))
  return active.length > 0 ? [...active].sort().join(', ') : 'NONE'
}
