import { holdsRoles, type Needs, type RoleHolder } from '@boathouse/contract'
import { AppError } from './app-error.ts'

/** Where a request comes from, known before anything about who sent it. */
export interface Caller {
  readonly requestId: string
  readonly clientIp: string
}

/** Someone signed in, with all that decides what they may do. */
export interface Actor extends RoleHolder {
  readonly userId: string
  readonly accountId: string
  readonly region: string
  readonly perms: readonly string[]
  /** Identifies the login without being able to stand in for it. */
  readonly loginId: string
}

/** Closed by default: refuses unless the actor has what is needed. */
export function requireNeeds(actor: Actor, needs: Needs): void {
  if (typeof needs === 'string' || holdsRoles(actor, needs.roles)) return
  const missing = needs.roles.filter((role) => !actor.activeRoles.includes(role))
  throw new AppError(
    'NoPermission',
    `This needs the role ${missing.join(', ')}. An account or user administrator can grant it.`,
  )
}
