import {
  forcesLogout,
  holdsRoles,
  isFrozen,
  isResuming,
  KEY_MESSAGES,
  MESSAGES,
  type Needs,
  type RoleHolder,
} from '@boathouse/contract'
import { AppError } from './app-error.ts'

/** Where a request comes from, known before anything about who sent it. */
export interface Caller {
  readonly requestId: string
  readonly clientIp: string
  /** What the browser says of itself, cut short. */
  readonly userAgent?: string
  /** Aborted when the caller has gone; of calls that stop then. */
  readonly gone?: AbortSignal
}

interface UsedKey {
  readonly keyId: string
  readonly name: string
  /** All roles of its user, of which it may use `heldRoles`. */
  readonly heldByUser: readonly string[]
}

/** Someone signed in, with all that decides what they may do. */
export interface Actor extends Pick<RoleHolder, 'user' | 'isOrgAdmin' | 'activeRoles'> {
  readonly userId: string
  /** Given to the user, active or not, without what these inherit. `activeRoles` are with what they inherit. */
  readonly heldRoles: readonly string[]
  /** Of what is known of the account's users and roles: this is how it was then. */
  readonly identityVersion: number
  /** Who created the account; null when that is not known any more. */
  readonly creatorId: string | null
  readonly accountId: string
  readonly region: string
  /** The shell's reading. */
  readonly accountState: number
  readonly perms: readonly string[]
  /** Identifies the login, but cannot be used to sign in. Empty for programs. */
  readonly loginId: string
  /** The API key that they came in with, if they did. */
  readonly key?: UsedKey
}

/** Closed by default: refuses unless the actor has what is needed. */
export function requireNeeds(actor: Actor, needs: Needs): void {
  if (typeof needs === 'string') return
  const { isOrgAdmin, activeRoles, userId, creatorId } = actor
  // The rule of the contract with ids: a name can pass to another user.
  if (holdsRoles({ isOrgAdmin, activeRoles, user: userId, creator: creatorId ?? '' }, needs.roles)) return
  const missing = needs.roles.filter((role) => !actor.activeRoles.includes(role))
  throw new AppError(
    'NoPermission',
    `This requires the role ${missing.join(', ')}. An account or user administrator can grant it.`,
  )
}

/** What an API key cannot do, whatever its user may: what lasts longer than the key, or makes more of it than it is. */
export function refuseKey({ key }: Pick<Actor, 'key'>): void {
  if (key) throw new AppError('NoPermission', KEY_MESSAGES.refused)
}

/** They came in with a key that may use some of the roles of its user. */
export const isNarrowed = ({ key, heldRoles }: Pick<Actor, 'key' | 'heldRoles'>): boolean =>
  key?.heldByUser.some((role) => !heldRoles.includes(role)) ?? false

/** What runs later runs as its user, with all roles of theirs: a key that has some of them does not start it. */
export function refuseNarrowedKey(actor: Pick<Actor, 'key' | 'heldRoles'>): void {
  if (isNarrowed(actor)) throw new AppError('NoPermission', KEY_MESSAGES.narrowed)
}

/** A frozen account is closed at every door. */
export function requireOpenAccount(accountState: number): void {
  if (isFrozen(accountState)) throw new AppError('AccountFrozen', MESSAGES.accountFrozen)
  if (isResuming(accountState)) throw new AppError('AccountFrozen', MESSAGES.accountResuming)
  if (forcesLogout(accountState)) throw new AppError('AccountFrozen', MESSAGES.accountClosed)
}
