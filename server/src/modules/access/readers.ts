import {
  type AccessObject,
  BUILT_IN_GRANTS,
  BUILT_IN_ROLES,
  objectOf,
  objectText,
  SYSTEM,
  type Reader,
} from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Authority } from './authority.ts'
import { builtInsAbove } from './holders.ts'
import type { AccessStore } from './store.ts'

/** Roles that read everything by nature, and those that inherit one. */
function builtInReaders({ type }: AccessObject): Reader[] {
  const byNature: readonly string[] = BUILT_IN_ROLES.filter((role) =>
    BUILT_IN_GRANTS[role].some((grant) => grant.type === type && grant.privileges.includes('SELECT')),
  )
  return builtInsAbove(byNature).map((role) => ({
    kind: 'role',
    name: role,
    privileges: ['SELECT'],
    why: byNature.includes(role)
      ? `Built in: SELECT on ${objectText(objectOf(type))}`
      : `Inherits ${byNature.join(', ')}`,
  }))
}

/** Who may read an object, and why: users and roles that were given SELECT on it, or on all that it is one of. */
export function createReaders({
  store,
  authority,
}: {
  store: Pick<AccessStore, 'holdersOf'>
  authority: Pick<Authority, 'may' | 'holding' | 'holdsAll'>
}) {
  /** Names of users are for those who decide on access: administrators, and users who can pass on what they hold. */
  async function requireMayKnow(actor: Actor, object: AccessObject): Promise<void> {
    if (authority.holdsAll(actor) || (await authority.may(actor, 'GRANT', SYSTEM))) return
    const held = await authority.holding(actor, object)
    if ([...held.values()].includes(true)) return
    throw new AppError(
      'NoPermission',
      `Who may read ${objectText(object)} is visible to database and user administrators, and to users with the grant option on it.`,
    )
  }

  return async function readers(
    actor: Actor,
    object: AccessObject,
    { offset, limit }: { offset: number; limit: number },
  ): Promise<{ list: Reader[]; total: number }> {
    await requireMayKnow(actor, object)
    const builtIn = builtInReaders(object)
    const page = { offset: Math.max(0, offset - builtIn.length), limit }
    const granted = await store.holdersOf(actor.accountId, { privilege: 'SELECT', object }, page)
    const shown = builtIn.slice(offset, offset + limit)
    const list = granted.list.slice(0, limit - shown.length).map((grant): Reader => ({
      kind: grant.role === null ? 'user' : 'role',
      name: grant.role ?? grant.user ?? '',
      privileges: [...grant.privileges],
      why: `Granted on ${objectText(grant)} by ${grant.grantedBy}`,
    }))
    return { list: [...shown, ...list], total: builtIn.length + granted.total }
  }
}

export type Readers = ReturnType<typeof createReaders>
