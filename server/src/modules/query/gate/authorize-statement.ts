import { type AccessObject, foldedKey, isSameName, objectOf, type Privilege } from '@boathouse/contract'
import {
  type Authorize,
  EVERY_NAME,
  type HiddenValues,
  type ListedName,
  type ObjectName,
  type ObjectUse,
} from '../../../engines/engine/objects.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { type BoundName, boundOf } from './bound-definitions.ts'
import type { ListedPlace, SeenName } from './seen-names.ts'
import { shownNames } from './shown-names.ts'

/** A privilege on an object, in the words of grants. */
export interface Wanted {
  readonly privilege: Privilege
  readonly object: AccessObject
}

/** What a statement needed: everything with all data, or just this. */
export type Needed = 'all' | readonly Wanted[]

/** What a view reads, and the privileges for it; null: no privilege opens it. */
export interface ViewReads {
  readonly view: AccessObject
  readonly wanted: readonly Wanted[] | null
  /** What it uses itself. */
  readonly bound: readonly BoundName[]
}

/** Who may do what; `modules/access` says so. */
export interface Privileges {
  /** Whether nobody need be asked: all on every object of data that there is or will be. */
  holdsAll(actor: Actor): boolean
  /** These roles with all that they inherit. */
  closure(actor: Actor, roles: readonly string[]): Promise<readonly string[]>
  /** The names that somebody may see in a list, as names are compared. */
  visible(actor: Actor, place: ListedPlace): Promise<ReadonlySet<string> | 'all'>
  /** All names that somebody may see. */
  listed(actor: Actor): Promise<readonly SeenName[]>
  /** Null when all of it is allowed, else the sentence that says what is missing and who can grant it. */
  whyNot(actor: Actor, wanted: readonly Wanted[]): Promise<string | null>
  /** The same of the owners of views, for what these read. */
  whyNotThrough(
    requester: Pick<Actor, 'accountId' | 'identityVersion' | 'userId'>,
    reads: readonly ViewReads[],
  ): Promise<string | null>
  /** The materialized views of an account, by `viewKey`: engines take them for tables. */
  materialized(accountId: string): Promise<ReadonlySet<string>>
}

/** Of those, what decides. */
export type Decider = Pick<Privileges, 'holdsAll' | 'whyNot'>
/** And what says what is seen, and what views may still read. */
export type Lister = Decider & Pick<Privileges, 'listed' | 'whyNotThrough'>

/** As names are compared. */
export const viewKey = ({ catalog, database, name }: Omit<ObjectName, 'type'>): string =>
  foldedKey([catalog, database, name])

/** What a statement has to do with materialized views. */
export interface ViewWork {
  readonly views: ReadonlySet<string>
  /** It may change something, and so must not change one of those. */
  readonly writes: boolean
  /** Set for the refresh of a view and for a scheduled statement: what it reads is checked before it runs. */
  readonly refresh?: Refresh | undefined
  /**
   * Its uses are recorded, also for users who hold all privileges, so that others can be checked against them. A result
   * that lists names depends on the requester, and is then for nobody else.
   */
  readonly notesUses?: boolean
  /** Receives what the statement will write, before it runs. */
  readonly onWrites?: (written: readonly ObjectName[]) => Promise<void>
}

export interface Refresh {
  /** The view that it refreshes; null for a statement that a task runs. */
  readonly view: Omit<ObjectName, 'type'> | null
  /** Receives all that the statement does itself and every macro in it. Gives null, or why it may not run. */
  reads(sources: readonly ObjectName[], uses: readonly ObjectUse[]): Promise<string | null>
}

const NO_VIEWS: ViewWork = { views: new Set(), writes: false }

const onCatalog = ({ catalog }: ObjectName): AccessObject => objectOf('catalog', { catalog })

const onDatabase = ({ catalog, database }: ObjectName): AccessObject =>
  objectOf('database', { catalog, database: database ?? '' })

const onObject =
  (type: 'table' | 'view' | 'materialized_view' | 'function') =>
  ({ catalog, database, name }: ObjectName): AccessObject =>
    objectOf(type, { catalog, database: database ?? '', name: name ?? '' })

type Rule = readonly [privilege: Privilege, on: (object: ObjectName) => AccessObject]

const table = onObject('table')
const view = onObject('view')
const aFunction = onObject('function')

/**
 * The one table that says which privilege opens what. What is not in it only those may do who hold all. Sequences and
 * types have no privileges of their own: who may create tables in a database may create them there. What is done with an
 * index is done with its table.
 */
const RULES: Readonly<Record<ObjectName['type'], Partial<Record<ObjectUse['action'], Rule | null>>>> = {
  catalog: { read: ['USAGE', onCatalog] },
  database: {
    create: ['CREATE DATABASE', onCatalog],
    alter: ['ALTER', onDatabase],
    drop: ['DROP', onDatabase],
  },
  table: {
    read: ['SELECT', table],
    insert: ['INSERT', table],
    update: ['UPDATE', table],
    delete: ['DELETE', table],
    create: ['CREATE TABLE', onDatabase],
    alter: ['ALTER', table],
    drop: ['DROP', table],
  },
  view: {
    read: ['SELECT', view],
    create: ['CREATE VIEW', onDatabase],
    alter: ['ALTER', view],
    drop: ['DROP', view],
  },
  function: {
    read: ['USAGE', aFunction],
    create: ['CREATE FUNCTION', onDatabase],
    // There is no ALTER of a function: users who may drop it may change its comment.
    alter: ['DROP', aFunction],
    drop: ['DROP', aFunction],
  },
  sequence: {
    update: ['CREATE TABLE', onDatabase],
    create: ['CREATE TABLE', onDatabase],
    alter: ['CREATE TABLE', onDatabase],
    drop: ['CREATE TABLE', onDatabase],
  },
  type: {
    // Users with a privilege on any object in its database may read it.
    read: null,
    // Definitions of others may use it, and would mean something else with another of its name.
    create: ['CREATE TABLE', onDatabase],
  },
  index: { create: null, alter: null, drop: null },
  // They show only what the requester may see.
  listing: { read: null },
}

/** Its rows are read as those of a table; all else is done by statements of the service. */
const OF_MATERIALIZED: Partial<Record<ObjectUse['action'], Rule>> = {
  read: ['SELECT', onObject('materialized_view')],
}

const isMaterialized = ({ object }: ObjectUse, views: ReadonlySet<string>): boolean =>
  object.type === 'table' && views.size > 0 && views.has(viewKey(object))

function ruleFor(use: ObjectUse, views: ReadonlySet<string>): Rule | null | undefined {
  return isMaterialized(use, views) ? OF_MATERIALIZED[use.action] : RULES[use.object.type][use.action]
}

/** The privileges that the requester needs for what a statement does itself, each once; null where none allows it. */
export function privilegesFor(
  uses: readonly ObjectUse[],
  views: ReadonlySet<string> = NO_VIEWS.views,
): readonly Wanted[] | null {
  const wanted = new Map<string, Wanted>()
  const add = (one: Wanted) => wanted.set(JSON.stringify(one), one)
  // A view runs as its owner, so its readers need no privileges on what it reads.
  for (const use of uses.filter(({ through }) => through === null)) {
    const rule = ruleFor(use, views)
    if (rule === undefined) return null
    if (use.object.type !== 'listing') add({ privilege: 'USAGE', object: onCatalog(use.object) })
    if (rule) add({ privilege: rule[0], object: rule[1](use.object) })
  }
  return [...wanted.values()]
}

/** What each view reads itself, running as its owner. */
function readsThroughViews(uses: readonly ObjectUse[], views: ReadonlySet<string>): ViewReads[] {
  const byView = new Map<string, { view: ObjectName; uses: ObjectUse[] }>()
  for (const use of uses) {
    if (use.through === null) continue
    const key = JSON.stringify(use.through)
    const known = byView.get(key) ?? { view: use.through, uses: [] }
    known.uses.push({ ...use, through: null })
    byView.set(key, known)
  }
  return [...byView.values()].map((one) => ({
    view: view(one.view),
    wanted: privilegesFor(one.uses, views),
    bound: boundOf(one.uses),
  }))
}

const BEYOND = 'Only a database administrator can run this statement. No privilege allows it.'

const NOTHING: readonly ListedName[] = []

const writtenTo = (use: ObjectUse): boolean =>
  use.action !== 'read' && (use.object.type === 'table' || use.object.type === 'view')

/** Of a statement that would write to a materialized view. */
function whyNotWritten(uses: readonly ObjectUse[], views: ReadonlySet<string>): string | null {
  const use = uses.find((one) => one.action !== 'read' && isMaterialized(one, views))
  if (!use) return null
  const path = [use.object.database, use.object.name].join('.')
  return `${path} is a materialized view: its rows come from its query alone. Write REFRESH, ALTER or DROP MATERIALIZED VIEW ${path}.`
}

/**
 * What a statement does besides refreshing its own view. In one that cannot be bound, and so will not run, every name
 * counts as read: the view's own name then does not mean that the view reads itself.
 */
function withoutOwn(uses: readonly ObjectUse[], refresh: Refresh | undefined): readonly ObjectUse[] {
  if (!refresh?.view) return uses
  const own = viewKey(refresh.view)
  const isBound = uses.some(({ action, object }) => action === 'create' && viewKey(object) === own)
  return uses.filter(({ action, object }) => viewKey(object) !== own || (isBound && action === 'read'))
}

/** What runs as the requester. Macros do, wherever they are called. */
const isItsOwn = ({ through, object }: ObjectUse): boolean => through === null || object.type === 'function'

/** Of a table, what is done with all of its rows as they are, so that what fails tells of them. Who inserts sends the values. */
const TOUCHES_VALUES: ReadonlySet<ObjectUse['action']> = new Set(['update', 'delete', 'alter'])

const pathOf = ({ catalog, database, name }: ObjectName): string =>
  [catalog, database, name].filter((part) => part !== null).join('.')

const read = (object: ObjectName): ObjectUse => ({ action: 'read', object, through: null })

/** What a statement can tell of values that its sender may not read themselves; null when that is nothing. */
async function hiddenFrom(
  uses: readonly ObjectUse[],
  mayRead: (object: ObjectName) => Promise<boolean>,
): Promise<HiddenValues | null> {
  for (const { action, object, through } of uses)
    if (through !== null && action === 'read' && object.type !== 'function' && !(await mayRead(object)))
      return { why: 'this reads through a view what you may not read yourself', throughViews: true }
  for (const { action, object } of uses)
    if (object.type === 'table' && TOUCHES_VALUES.has(action) && !(await mayRead(object)))
      return { why: `you may not read ${pathOf(object)}`, throughViews: false }
  return null
}

/** Databases themselves are seen by more people than hold something in them. */
const holdsBeside = (held: SeenName, { catalog, database }: ObjectName): boolean =>
  held.type !== 'catalog' &&
  held.type !== 'database' &&
  [
    [held.catalog, catalog],
    [held.database, database ?? ''],
  ].every(([own = '', of = '']) => own === '' || isSameName(own, of))

/** All users who may see the view see the outcome of a refresh, also those who may not read its sources. */
const OF_REFRESH: HiddenValues = {
  why: 'others see it too: run the query of the materialized view to see it',
  throughViews: false,
}

const USES_TARGET =
  'The statement also reads the table that it changes, for example in WHERE, SET, ON or RETURNING.'

/** Who decides on the objects of a statement of this actor, and what was asked for. */
export function authorizeStatement(
  actor: Actor,
  { holdsAll, whyNot, whyNotThrough, listed }: Lister,
  { views, writes, refresh, notesUses, onWrites }: ViewWork = NO_VIEWS,
): { authorize: Authorize; needed(): Needed; hasDenied(): boolean } {
  const mayAll = holdsAll(actor)
  const asksNobody = !refresh && !notesUses && !(writes && views.size > 0)
  if (mayAll && asksNobody) return { authorize: 'all', needed: () => 'all', hasDenied: () => false }
  let needed: Needed = mayAll && !notesUses ? 'all' : []
  let isDenied = false

  async function whyNotAll(uses: readonly ObjectUse[]): Promise<string | null> {
    const onView = whyNotWritten(uses, views)
    if (onView !== null || (mayAll && !notesUses)) return onView
    const wanted = privilegesFor(uses, views)
    needed = wanted && !(notesUses && uses.some(({ object }) => object.type === 'listing')) ? wanted : 'all'
    if (mayAll) return null
    if (!wanted) return BEYOND
    return (
      (await whyNotOwn(uses, wanted)) ??
      (await whyNotTypes(uses)) ??
      whyNotThrough(actor, readsThroughViews(uses, views))
    )
  }

  /** Says so where all that is missing is to read the table that is changed. */
  async function whyNotOwn(uses: readonly ObjectUse[], wanted: readonly Wanted[]): Promise<string | null> {
    const message = await whyNot(actor, wanted)
    if (message === null || !uses.some(({ ofTarget }) => ofTarget)) return message
    const others = privilegesFor(
      uses.filter(({ ofTarget }) => !ofTarget),
      views,
    )
    return others && (await whyNot(actor, others)) === null ? `${USES_TARGET} ${message}` : message
  }

  /** The labels of a type are for those who hold something in its database. */
  async function whyNotTypes(uses: readonly ObjectUse[]): Promise<string | null> {
    const read = uses.filter(({ object, action }) => object.type === 'type' && action === 'read')
    if (read.length === 0) return null
    const held = await listed(actor)
    const hidden = read.find(({ object }) => !held.some((one) => holdsBeside(one, object)))
    if (!hidden) return null
    const { catalog, database } = hidden.object
    return `This shows a type of the database ${catalog}.${database}, where you have no privilege on any object. A user administrator can grant you one.`
  }

  async function mayRead(object: ObjectName): Promise<boolean> {
    const wanted = privilegesFor([read(object)], views)
    return wanted !== null && (await whyNot(actor, wanted)) === null
  }

  const authorize: Authorize = async (uses) => {
    const others = withoutOwn(uses, refresh)
    const sources = others.filter(({ action }) => action === 'read').map(({ object }) => object)
    const message =
      (await whyNotAll(others)) ?? (await refresh?.reads(sources, others.filter(isItsOwn))) ?? null
    isDenied = message !== null
    if (message !== null) return { message }
    const written = uses.filter(writtenTo).map(({ object }) => object)
    if (written.length > 0) await onWrites?.(written)
    const hides = refresh ? OF_REFRESH : mayAll ? null : await hiddenFrom(others, mayRead)
    const lists = uses.some(({ object }) => object.type === 'listing')
    if (!lists) return hides && { listed: NOTHING, hides }
    const names = mayAll ? EVERY_NAME : shownNames(await listed(actor), views)
    return { listed: names, ...(hides && { hides }) }
  }
  return { authorize, needed: () => needed, hasDenied: () => isDenied }
}

/** Null when somebody may still do what a statement did, else why not. */
export async function whyNoLonger(
  actor: Actor,
  needed: Needed,
  { holdsAll, whyNot }: Decider,
): Promise<string | null> {
  if (holdsAll(actor)) return null
  if (needed !== 'all') return whyNot(actor, needed)
  return 'It ran with the privileges of a database administrator, which you no longer have.'
}
