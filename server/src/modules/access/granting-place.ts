import type { AccessObject, Privilege } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Schema } from '../../store/schema.ts'
import type { PeopleStore } from '../user/people-with-roles-store.ts'
import { type Authority, builtInHolding, rolesFor } from './authority.ts'
import { requirePerson } from './changes.ts'
import type { FoundGrantee } from './grants.ts'
import type { AccessStore } from './store.ts'
import type { RankRule } from './rank.ts'

/**
 * In whose place somebody gives or takes. `owner`: who administers all of the kind, or made the object, or administers
 * users and holds it; what they give stays when they lose it. `own`: in their own, by the option to pass it on.
 */
type Place = 'owner' | 'own'

export const administersAll = (actor: Actor, object: AccessObject, privilege: Privilege): boolean =>
  builtInHolding(rolesFor(actor, object), object).includes(privilege)

const administersUsers = ({ activeRoles }: Actor): boolean => activeRoles.includes('user_admin')

export async function placesOf(
  privileges: readonly Privilege[],
  placeOf: (privilege: Privilege) => Promise<Place>,
): Promise<Record<Place, Privilege[]>> {
  const places: Record<Place, Privilege[]> = { owner: [], own: [] }
  for (const privilege of privileges) places[await placeOf(privilege)].push(privilege)
  return places
}

/** In whose place a requester grants or revokes each privilege. Refuses who has neither place. */
export function createGrantingPlaces({
  store,
  people,
  rank,
  authority,
}: {
  store: Pick<AccessStore, 'isCreatorOf'>
  people: PeopleStore
  rank: RankRule
  authority: Authority
}) {
  /** Nobody gives what they do not hold: without the option, administrators of users alone. */
  async function placeOfGrantor(
    trx: Transaction<Schema>,
    actor: Actor,
    { object, privilege }: { object: AccessObject; privilege: Privilege },
  ): Promise<Place> {
    if (administersAll(actor, object, privilege)) return 'owner'
    const option = (await authority.holding(actor, object)).get(privilege)
    if (option !== undefined && administersUsers(actor)) return 'owner'
    if (option === true) return (await store.isCreatorOf(trx, actor, object)) ? 'owner' : 'own'
    throw new AppError(
      'NoPermission',
      `You do not have ${privilege} with the grant option. The owner of the object, an administrator of its kind, or a user administrator who has it can grant it.`,
    )
  }

  /** An owner, and administrators above whom it is taken from, take what anybody gave; others what they gave. */
  async function placeOfRevoker(
    trx: Transaction<Schema>,
    actor: Actor,
    asked: { object: AccessObject; privilege: Privilege; grantee: FoundGrantee },
  ): Promise<Place> {
    const { object, privilege, grantee } = asked
    if (administersAll(actor, object, privilege)) return 'owner'
    if (await store.isCreatorOf(trx, actor, object)) return 'owner'
    if (administersUsers(actor)) {
      const { accountId } = actor
      const of =
        'role' in grantee.key
          ? grantee.key
          : await requirePerson(people, trx, { accountId, user: grantee.name })
      await rank.require(trx, actor, { of })
      return 'owner'
    }
    if ((await authority.holding(actor, object)).get(privilege) === true) return 'own'
    throw new AppError(
      'NoPermission',
      `You do not have ${privilege} with the grant option. Its grantor, the owner of the object or a user administrator can revoke it.`,
    )
  }

  return { placeOfGrantor, placeOfRevoker }
}
