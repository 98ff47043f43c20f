import {
  BUILT_IN_GRANTS,
  isBuiltIn,
  objectOf,
  objectText,
  type Output,
  type perms,
  type PlannedChange,
  withInherited,
} from '@boathouse/contract'
import type { Kysely } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import type { Schema } from '../../store/schema.ts'
import { type From, Rehearsed, requireRole } from './changes.ts'
import type { Granting } from './granting.ts'
import type { Grants } from './grants.ts'
import type { Holders } from './holders.ts'
import type { TakenBack } from './passed-on.ts'
import type { People } from './people.ts'
import type { Roles } from './roles.ts'
import type { AccessStore, GranteeKey } from './store.ts'
import type { PeopleStore } from '../user/people-with-roles-store.ts'

type Effect = Output<typeof perms.effect>
type Told = Pick<Effect, 'grants' | 'moreGrants'>

const MOST_NAMES = 5
const MOST_GRANTS = 20

/** What a change would do to whom, told before it is made. */
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
  granting: Pick<Granting, 'take'>
  roles: Pick<Roles, 'takeFromUser' | 'takeFromRole' | 'delete'>
  people: Pick<People, 'delete'>
}) {
  async function whoHas(accountId: string, key: GranteeKey, name: string): Promise<string[]> {
    if ('userId' in key) return [name]
    return (await holders(db, accountId, key.role)).map((person) => person.name)
  }

  /** All that comes with these roles. */
  async function grantsWith(accountId: string, roles: readonly string[]): Promise<Told> {
    const builtIn = roles.filter(isBuiltIn).flatMap((role) =>
      BUILT_IN_GRANTS[role].map(({ type, privileges }) => ({
        objectText: objectText(objectOf(type)),
        privileges: [...privileges],
      })),
    )
    const rows = await store.grantsOfRoles(accountId, roles, MOST_GRANTS)
    const counts = await store.countGrants(accountId, roles)
    const total = builtIn.length + counts.reduce((sum, { count }) => sum + count, 0)
    const own = (await grants.toGrants(accountId, rows)).map(({ objectText: text, privileges }) => ({
      objectText: text,
      privileges,
    }))
    const list = [...builtIn, ...own].slice(0, MOST_GRANTS)
    return { grants: list, moreGrants: total - list.length }
  }

  const withAllBelow = async (accountId: string, roles: readonly string[]): Promise<Told> =>
    grantsWith(accountId, withInherited(await store.below(accountId, roles)))

  /** What somebody was granted themselves, then what they have by their roles. */
  async function grantsOf(accountId: string, key: GranteeKey & { userId: string }): Promise<Told> {
    const page = { search: '', page: 1, pageSize: MOST_GRANTS }
    const { list, total } = await store.grantsTo(accountId, key, page)
    const own = await grants.toGrants(accountId, list)
    const held = (await peopleStore.rolesOf(key.userId)).map(({ role }) => role)
    const byRoles = await withAllBelow(accountId, held)
    const all = [
      ...own.map(({ objectText: text, privileges }) => ({ objectText: text, privileges })),
      ...byRoles.grants,
    ]
    const shown = all.slice(0, MOST_GRANTS)
    return { grants: shown, moreGrants: total + byRoles.grants.length + byRoles.moreGrants - shown.length }
  }

  async function told(actor: Actor, planned: PlannedChange): Promise<Told> {
    const { accountId } = actor
    if ('role' in planned) {
      const role = await requireRole(store, undefined, { accountId, role: planned.role })
      return withAllBelow(accountId, [role])
    }
    if (!('object' in planned)) {
      const { key } = await grants.findGrantee(undefined, actor, planned.grantee)
      return 'role' in key ? withAllBelow(accountId, [key.role]) : grantsOf(accountId, key)
    }
    const { object, privileges } = planned
    return { grants: [{ objectText: objectText(object), privileges: [...privileges] }], moreGrants: 0 }
  }

  /** Made and taken back, so that it is told by what does it. */
  async function rehearse(actor: Actor, planned: PlannedChange): Promise<readonly TakenBack[]> {
    const from: From = { actor, clientIp: '', isRehearsal: true }
    const { kind, name } = planned.grantee
    try {
      if (planned.change === 'revoke-privileges') await granting.take(from, planned)
      else if (planned.change === 'revoke-role')
        await (kind === 'user'
          ? roles.takeFromUser(from, { role: planned.role, user: name })
          : roles.takeFromRole(from, { role: planned.role, fromRole: name }))
      else if (planned.change === 'delete')
        await (kind === 'user' ? people.delete(from, name) : roles.delete(from, name))
      return []
    } catch (error) {
      if (error instanceof Rehearsed) return error.taken
      throw error
    }
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
      ...(await told(actor, planned)),
      ...(await passedOn(actor, planned)),
    }
  }
}
