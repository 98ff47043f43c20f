import {
  type AccessObject,
  BUILT_IN_GRANTS,
  DEFAULT_CATALOG,
  isBuiltIn,
  objectText,
  type Privilege,
  withInherited,
  foldedName,
} from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { BoundedMap } from '../../kernel/bounded-map.ts'
import type { ListedPlace, SeenName } from '../query/gate/seen-names.ts'
import { listedNames, SEEN_BY_ALL } from './listed-names.ts'
import type { AccessStore } from './store.ts'

/** Objects of which is remembered what somebody may do with them. */
const REMEMBERED = 50_000
/** Names in lists of all that somebody may see. */
const REMEMBERED_LISTS = 1_000_000

/** What somebody holds on one object; true: with the option to pass it on. */
export type Holding = ReadonlyMap<Privilege, boolean>

export type Holder = Pick<
  Actor,
  'accountId' | 'userId' | 'activeRoles' | 'identityVersion' | 'isOrgAdmin' | 'creatorId'
>

export interface Wanted {
  readonly privilege: Privilege
  readonly object: AccessObject
}

/** Every user has access to the catalog of their account; the objects in it are checked separately. */
const isOpen = ({ privilege, object }: Wanted): boolean =>
  privilege === 'USAGE' && object.type === 'catalog' && object.catalog === DEFAULT_CATALOG

export function builtInHolding(roles: readonly string[], { type }: AccessObject): Privilege[] {
  return roles
    .filter(isBuiltIn)
    .flatMap((role) => BUILT_IN_GRANTS[role])
    .flatMap((grant) => (grant.type === type ? grant.privileges : []))
}

/** What is run by who created the account and administers the organisation. Data is apart. */
export const runsAccount = (type: AccessObject['type']): boolean => type === 'system' || type === 'warehouse'

/** The creator of the account who administers the organisation runs it without the roles for that. */
export function rolesFor(
  { activeRoles, isOrgAdmin, userId, creatorId }: Holder,
  { type }: AccessObject,
): readonly string[] {
  const isRunning = isOrgAdmin && userId === creatorId && runsAccount(type)
  return isRunning ? withInherited([...activeRoles, 'account_admin']) : activeRoles
}

/** True for users who have all privileges on all present and future data, so that no grant has to be read. */
const holdsAll = ({ activeRoles }: Pick<Actor, 'activeRoles'>): boolean =>
  withInherited(activeRoles).includes('db_admin')

/** Of all that is in them. */
const ALL_DATABASES = {
  of: 'database',
  types: ['database', 'table', 'view', 'materialized_view', 'function'],
} as const

/** Ids of lists of roles: a user can have a thousand roles, and every statement asks about them. */
const knownLists = new WeakMap<readonly string[], number>()
/** A login is loaded again for every call, and its roles are still the same. In UTF-16 units. */
const sameLists = new BoundedMap<number>(10_000_000)
let numbers = 0

function numberOf(roles: readonly string[]): number {
  const known = knownLists.get(roles)
  if (known !== undefined) return known
  const text = JSON.stringify(roles)
  const number = sameLists.get(text) ?? ++numbers
  sameLists.set(text, number, text.length)
  knownLists.set(roles, number)
  return number
}

/** Names hold any character, so that the parts are kept apart by more than one of them. */
const keyFor = (holder: Holder, parts: readonly string[]): string =>
  JSON.stringify([
    holder.accountId,
    holder.identityVersion,
    holder.userId,
    holder.isOrgAdmin,
    numberOf(holder.activeRoles),
    ...parts,
  ])

/**
 * The one decision, for every call, statement and list: own grants, those of the active roles with all that they
 * inherit, and public. Closed by default.
 */
export function createAuthority({
  store,
}: {
  store: Pick<AccessStore, 'granted' | 'grantedData' | 'grantedNames' | 'below'>
}) {
  const holdings = new BoundedMap<Holding>(REMEMBERED)
  const listings = new BoundedMap<ReadonlySet<string> | 'all'>(REMEMBERED_LISTS)
  const lists = new BoundedMap<readonly SeenName[]>(REMEMBERED_LISTS)
  const closures = new BoundedMap<readonly string[]>(REMEMBERED)

  /** As of the version of the account's identities at which the actor was read: what changed since is the next one's. */
  async function holding(actor: Holder, object: AccessObject): Promise<Holding> {
    const { accountId, userId } = actor
    const activeRoles = rolesFor(actor, object)
    const { type, catalog, database, name } = object
    const key = keyFor(actor, [type, catalog, database, name])
    const known = holdings.get(key)
    if (known) return known
    const held = new Map<Privilege, boolean>()
    for (const privilege of builtInHolding(activeRoles, object)) held.set(privilege, false)
    const roles = [...activeRoles, 'public']
    for (const grant of await store.granted(accountId, { userId, roles }, object))
      for (const privilege of grant.privileges)
        held.set(privilege, held.get(privilege) === true || grant.grantable.includes(privilege))
    holdings.set(key, held, 1)
    return held
  }

  async function may(actor: Holder, privilege: Privilege, object: AccessObject): Promise<boolean> {
    return isOpen({ privilege, object }) || (await holding(actor, object)).has(privilege)
  }

  /** The names that somebody may see in a list, as they are compared: those on which, or in which, they hold anything. */
  async function visible(actor: Holder, place: ListedPlace): Promise<ReadonlySet<string> | 'all'> {
    if (holdsAll(actor)) return 'all'
    const { accountId, userId, activeRoles } = actor
    const { type, catalog, database = '' } = place
    const key = keyFor(actor, [type, catalog, database])
    const known = listings.get(key)
    if (known) return known
    const holder = { userId, roles: [...activeRoles, 'public'] }
    const asked = type === 'database' ? ALL_DATABASES : ({ of: 'name', types: [type] } as const)
    const granted = await store.grantedNames(accountId, holder, { ...asked, catalog, database })
    const names = new Set(granted.map(foldedName))
    if (type === 'database') for (const name of SEEN_BY_ALL) names.add(name)
    const seen = names.has('') ? 'all' : names
    listings.set(key, seen, seen === 'all' ? 1 : seen.size + 1)
    return seen
  }

  /** All names that somebody may see: as `visible`, of every place at once. */
  async function listed(actor: Holder): Promise<readonly SeenName[]> {
    const key = keyFor(actor, ['listed'])
    const known = lists.get(key)
    if (known) return known
    const { accountId, userId, activeRoles } = actor
    const holder = { userId, roles: [...activeRoles, 'public'] }
    const names = listedNames(await store.grantedData(accountId, holder))
    lists.set(key, names, names.length)
    return names
  }

  /** These roles with all that they inherit. */
  async function closure(actor: Holder, roles: readonly string[]): Promise<readonly string[]> {
    const key = JSON.stringify([actor.accountId, actor.identityVersion, roles])
    const known = closures.get(key)
    if (known) return known
    const found = withInherited(await store.below(actor.accountId, roles))
    closures.set(key, found, 1)
    return found
  }

  /** The sentence that refuses: what is missing, and what would help. */
  async function refusal(
    actor: Actor,
    { privilege, object }: Wanted,
    text = objectText(object),
  ): Promise<string> {
    const everything = { ...actor, activeRoles: await closure(actor, actor.heldRoles) }
    const helps = (await may(everything, privilege, object))
      ? 'One of your inactive roles has it. Activate that role in your profile.'
      : 'Its owner, an administrator who has it, or anyone with the grant option can grant it to you.'
    return `This requires the privilege ${privilege} on ${text}, which neither you nor your active roles have. ${helps}`
  }

  return {
    may,
    holding,
    closure,

    async require(actor: Actor, wanted: Wanted, text?: string): Promise<void> {
      if (await may(actor, wanted.privilege, wanted.object)) return
      throw new AppError('NoPermission', await refusal(actor, wanted, text))
    },

    holdsAll,
    visible,
    listed,

    /** Null when all of it is allowed, else why not. */
    async whyNot(actor: Actor, wanted: readonly Wanted[]): Promise<string | null> {
      for (const one of wanted) if (!(await may(actor, one.privilege, one.object))) return refusal(actor, one)
      return null
    },
  }
}

export type Authority = ReturnType<typeof createAuthority>
