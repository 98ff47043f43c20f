import { objectText, type Output, type perms, type PlannedChange } from '@boathouse/contract'
import type { Kysely } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import type { Schema } from '../../store/schema.ts'
import type { PeopleStore } from '../user/people-with-roles-store.ts'
import type { Granting } from './granting.ts'
import type { Grants } from './grants.ts'
import type { Holders } from './holders.ts'
import type { People } from './people.ts'
import type { Roles } from './roles.ts'
import type { AccessStore, GranteeKey } from './store.ts'
import { createAffectedGrants, MOST_GRANTS } from './affected-grants.ts'
import { createRehearsal } from './rehearsal.ts'

type Effect = Output<typeof perms.effect>

const MOST_NAMES = 5

/** What a change would do to whom, shown before it is made. */
export function createEffect({
  db,
  store,
  peopleStore,
  holders,
  grants,
  granting,
  roles,
  people,
}: {
  db: Kysely<Schema>
  store: AccessStore
  peopleStore: Pick<PeopleStore, 'rolesOf' | 'namesOf'>
  holders: Holders
  grants: Pick<Grants, 'findGrantee' | 'toGrants' | 'present'>
  granting: Pick<Granting, 'revoke'>
  roles: Pick<Roles, 'revokeFromUser' | 'revokeFromRole' | 'delete'>
  people: Pick<People, 'delete'>
}) {
  const affectedGrants = createAffectedGrants({ store, peopleStore, grants })
  const rehearse = createRehearsal({ granting, roles, people })

  async function whoHas(accountId: string, key: GranteeKey, name: string): Promise<string[]> {
    if ('userId' in key) return [name]
    return (await holders(db, accountId, key.role)).map((person) => person.name)
  }

  /** What others lose because it was passed on to them. */
  async function passedOn(
    actor: Actor,
    planned: PlannedChange,
  ): Promise<Pick<Effect, 'passedOn' | 'morePassedOn'>> {
    const taken = await rehearse(actor, planned)
    const shown = taken.slice(0, MOST_GRANTS)
    const objects = await grants.present(actor.accountId, shown)
    const names = await peopleStore.namesOf(shown.flatMap(({ key }) => ('userId' in key ? [key.userId] : [])))
    return {
      passedOn: shown.map(({ key, privileges, ...object }, index) => ({
        grantee:
          'userId' in key
            ? { kind: 'user', name: names.get(key.userId) ?? '' }
            : { kind: 'role', name: key.role },
        objectText: objectText(objects[index] ?? object),
        privileges: [...privileges],
      })),
      morePassedOn: taken.length - shown.length,
    }
  }

  return async function effect(actor: Actor, planned: PlannedChange): Promise<Effect> {
    const { key, name } = await grants.findGrantee(undefined, actor, planned.grantee)
    const names = await whoHas(actor.accountId, key, name)
    return {
      users: names.length,
      names: names.slice(0, MOST_NAMES),
      ...(await affectedGrants(actor, planned)),
      ...(await passedOn(actor, planned)),
    }
  }
}
