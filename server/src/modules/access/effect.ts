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
import { requireRole } from './changes.ts'
import type { Grants } from './grants.ts'
import type { Holders } from './holders.ts'
import type { AccessStore, GranteeKey } from './store.ts'

type Effect = Output<typeof perms.effect>
type Told = Pick<Effect, 'grants' | 'moreGrants'>

const MOST_NAMES = 5
const MOST_GRANTS = 20

/** What a change would do to whom, told before it is made. */
export function createEffect({
  db,
  store,
  holders,
  grants,
}: {
  db: Kysely<Schema>
  store: AccessStore
  holders: Holders
  grants: Pick<Grants, 'findGrantee' | 'toGrants'>
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

  async function told(actor: Actor, planned: PlannedChange): Promise<Told> {
    const { accountId } = actor
    if ('role' in planned) {
      const role = await requireRole(store, undefined, { accountId, role: planned.role })
      return grantsWith(accountId, withInherited(await store.below(accountId, [role])))
    }
    if (!('object' in planned)) {
      const { key } = await grants.findGrantee(undefined, actor, planned.grantee)
      if ('role' in key) return grantsWith(accountId, [key.role])
      const page = { search: '', page: 1, pageSize: MOST_GRANTS }
      const { list, total } = await store.grantsTo(accountId, key, page)
      const shown = await grants.toGrants(accountId, list)
      const own = shown.map(({ objectText: text, privileges }) => ({ objectText: text, privileges }))
      return { grants: own, moreGrants: total - own.length }
    }
    const { object, privileges } = planned
    return { grants: [{ objectText: objectText(object), privileges: [...privileges] }], moreGrants: 0 }
  }

  return async function effect(actor: Actor, planned: PlannedChange): Promise<Effect> {
    const { key, name } = await grants.findGrantee(undefined, actor, planned.grantee)
    const names = await whoHas(actor.accountId, key, name)
    return { users: names.length, names: names.slice(0, MOST_NAMES), ...(await told(actor, planned)) }
  }
}
