import { foldedKey, type AccessObject, type Privilege, reaches } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import type { PeopleStore } from '../user/people-with-roles-store.ts'
import { builtInHolding } from './authority.ts'
import type { Option, PassedOn } from './passed-on-store.ts'
import type { Holders } from './holders.ts'
import type { RankRule } from './rank.ts'
import type { AccessStore } from './store.ts'

/** What was revoked, and from whom. */
export type Revoked = Pick<PassedOn, 'key' | 'type' | 'catalog' | 'database' | 'name' | 'privileges'>

interface Giver {
  readonly options: ReadonlyMap<string, readonly Option[]>
  readonly roles: readonly string[]
}

/** Somebody may hold thousands one by one: they are found by their names, and then looked at by the rule. */
const placeOf = ({ type, catalog, database, name }: AccessObject): string =>
  foldedKey([type, catalog, database, name])

/** The object and the wider ones that contain it. */
const placesAround = (object: AccessObject): ReadonlySet<string> =>
  new Set(
    [
      object,
      { ...object, name: '' },
      { ...object, name: '', database: '' },
      { ...object, name: '', database: '', catalog: '' },
    ].map(placeOf),
  )

const holdsOption = (
  { roles, options }: Giver,
  { object, privilege }: { object: AccessObject; privilege: Privilege },
  isGood: (sourceId: number) => boolean,
): boolean =>
  builtInHolding(roles, object).includes(privilege) ||
  [...placesAround(object)]
    .flatMap((place) => options.get(place) ?? [])
    .some(
      (option) =>
        reaches(option, object) &&
        option.sources.some(({ sourceId, grantable }) => grantable.includes(privilege) && isGood(sourceId)),
    )

/** Those of their privileges that lead back to an owner: two who gave each other what is gone hold nothing by that. */
function stillGiven(
  suspects: readonly PassedOn[],
  givers: ReadonlyMap<string, Giver>,
): ReadonlyMap<number, ReadonlySet<Privilege>> {
  const good = new Map(suspects.map(({ sourceId }) => [sourceId, new Set<Privilege>()]))
  const mayPassOn = (object: PassedOn, privilege: Privilege): boolean => {
    const giver = givers.get(object.grantorId)
    const isGood = (sourceId: number) => good.get(sourceId)?.has(privilege) ?? true
    return giver !== undefined && holdsOption(giver, { object, privilege }, isGood)
  }
  for (let grew = true; grew;) {
    grew = false
    for (const one of suspects)
      for (const privilege of one.privileges) {
        if (good.get(one.sourceId)?.has(privilege) || !mayPassOn(one, privilege)) continue
        good.get(one.sourceId)?.add(privilege)
        grew = true
      }
  }
  return good
}

/**
 * What somebody passed on by the option to do so is theirs to give for only as long as they hold it: when they lose it,
 * by whichever path, it goes too, and so does what was passed on from there. What an owner gave stays.
 */
export function createPassedOn({
  store,
  people,
  holders,
  rank,
}: {
  store: AccessStore
  people: Pick<PeopleStore, 'rolesOf'>
  holders: Holders
  rank: Pick<RankRule, 'closureOf'>
}) {
  const usersOf = async (trx: Transaction<Schema>, accountId: string, { key }: Pick<PassedOn, 'key'>) =>
    'userId' in key ? [key.userId] : (await holders(trx, accountId, key.role)).map(({ user_id }) => user_id)

  /** What these users passed on, what was passed on from there, and so on; with everyone who did. */
  async function suspectsOf(trx: Transaction<Schema>, accountId: string, userIds: readonly string[]) {
    const found: PassedOn[] = []
    const givers = new Set(userIds)
    for (let next = [...givers]; next.length > 0;) {
      const passed = await store.passedOnBy(trx, accountId, next)
      found.push(...passed)
      const reached = new Set<string>()
      for (const one of passed)
        if (one.grantable.length > 0)
          for (const userId of await usersOf(trx, accountId, one)) reached.add(userId)
      next = [...reached].filter((userId) => !givers.has(userId))
      for (const userId of next) givers.add(userId)
    }
    return { found, givers: new Set(found.map(({ grantorId }) => grantorId)) }
  }

  async function giverOf(trx: Transaction<Schema>, accountId: string, userId: string): Promise<Giver> {
    const held = (await people.rolesOf(userId, trx)).map(({ role }) => role)
    const roles = [...(await rank.closureOf(trx, accountId, held)), 'public']
    const options = new Map<string, Option[]>()
    for (const option of await store.optionsOf(trx, accountId, { userId, roles })) {
      const place = placeOf(option)
      options.set(place, [...(options.get(place) ?? []), option])
    }
    return { roles, options }
  }

  return {
    usersOf,

    /** As of now, in a change that runs alone: what was remembered of them may be over. */
    async mayPassOn(
      trx: Transaction<Schema>,
      { accountId, userId }: { accountId: string; userId: string },
      given: { readonly object: AccessObject; readonly privileges: readonly Privilege[] },
    ): Promise<boolean> {
      const giver = await giverOf(trx, accountId, userId)
      const { object } = given
      return given.privileges.every((privilege) => holdsOption(giver, { object, privilege }, () => true))
    },

    /** Of users who may have lost something. Answers what went. */
    async revoke(
      trx: Transaction<Schema>,
      accountId: string,
      userIds: readonly string[],
    ): Promise<Revoked[]> {
      const { found, givers } = await suspectsOf(trx, accountId, userIds)
      if (found.length === 0) return []
      const known = new Map<string, Giver>()
      for (const userId of givers) known.set(userId, await giverOf(trx, accountId, userId))
      const good = stillGiven(found, known)
      const taken: Revoked[] = []
      for (const one of found) {
        const lost = one.privileges.filter((privilege) => !good.get(one.sourceId)?.has(privilege))
        const given =
          lost.length === 0 ? undefined : await store.findGiven(trx, accountId, { key: one.key, object: one })
        if (!given) continue
        const keeps = (list: readonly Privilege[]) => list.filter((privilege) => !lost.includes(privilege))
        const sources = given.sources.map((source) =>
          source.grantorId === one.grantorId
            ? { ...source, privileges: keeps(source.privileges), grantable: keeps(source.grantable) }
            : source,
        )
        await store.putGiven(trx, accountId, { ...given, sources })
        const { key, type, catalog, database, name } = one
        taken.push({ key, type, catalog, database, name, privileges: lost })
      }
      return taken
    },
  }
}

export type PassedOnRights = ReturnType<typeof createPassedOn>
