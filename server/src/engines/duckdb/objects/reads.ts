import { type Statement, namesIn, queryPart, readStatement } from '@boathouse/sql'
import type { ObjectName, ObjectUse } from '../../objects.ts'
import { CHANGING_FUNCTIONS } from '../guard/changing-functions.ts'
import { type BoundPlan, Unresolved, readPlan } from './bound-plan.ts'
import { type Body, refuseCaptured } from './captured-names.ts'
import type { CleanPlans, CleanView } from './clean-plans.ts'
import { type DefinedMacro, type DefinedView, type Definitions, lastingOf, printOf } from './definitions.ts'
import {
  type FullName,
  type Place,
  type WrittenName,
  canMean,
  keyOf,
  means,
  objectName,
  quoted,
} from './names.ts'
import type { JsonNode } from './json-tree.ts'
import { distinctOf, namedIn } from './name-index.ts'
import { type Names, joined, namesInTree } from './parse-tree.ts'
import { isSamePlan, placesIn } from './same-plan.ts'
import { ReadsText, type Serializer } from './serialized.ts'

/** A text that reads: what is bound of it, what is written in it, and where it stands. */
export interface Reading {
  readonly tree: JsonNode
  readonly names: Names
  readonly places: readonly Place[]
  /** Of something whose columns are shown: it shows those of nothing else. */
  readonly isShown?: true
  readonly isInsert?: boolean
}

export interface ReadWorld {
  readonly serializer: Serializer
  readonly definitions: Definitions
  readonly clean: CleanPlans
  /** The open transaction has defined something, which is seen in it alone. */
  readonly isChanging: boolean
  /** Told of each view that the statement itself reads, with what that means; null where there is no plan of it. */
  onView?(view: DefinedView, clean: CleanView | null): void
  /** Told when something is named by a value: which object that is may be another one the next time. */
  onNamedByValue?(): void
}

const use = (object: ObjectName, through: ObjectName | null): ObjectUse => ({
  action: 'read',
  object,
  through,
})

export const LISTING: ObjectName = { type: 'listing', catalog: 'system', database: null, name: null }

/** They read a table whose name is a value. */
const OPAQUE = new Set(['histogram', 'histogram_values', 'query_table'])

/** They tell of the type of what they are given, which then is not in the plan: of a table, all its columns. */
const OF_TYPES = new Set([
  'can_cast_implicitly',
  'cast_to_type',
  'enum_first',
  'enum_last',
  'enum_range',
  'enum_range_boundary',
  'pg_typeof',
  'typeof',
])

const DRAWS = /^(currval|nextval)$/i

const asksTypes = ({ functions }: Names): boolean =>
  functions.some(({ name }) => OF_TYPES.has(name.toLowerCase()))

const namesOpaque = ({ functions }: Names): boolean =>
  functions.some(({ name }) => OPAQUE.has(name.toLowerCase()))

/** A statement is bound twice, to be decided on and to be run: what is named by a value must be the same both times. */
function requireSteady(names: Names): void {
  if (namesOpaque(names) && names.functions.some(({ name }) => CHANGING_FUNCTIONS.has(name.toLowerCase())))
    throw new Unresolved('it names a table by a value, beside a function that gives another value each time')
}

const namesByValue = (names: Names): boolean =>
  namesOpaque(names) || names.functions.some(({ name }) => DRAWS.test(name))

/** By these a name can be written that is not found in the text. */
const ESCAPES = /u&["']/i

/**
 * Whether the plan alone tells who reads what, however it is written: there is no macro, and nothing in the text is
 * called as a view, or as what reads a table without its name in the plan. A view that is overlooked here makes nothing
 * allowed: what is below it is then read by the statement itself.
 */
export async function isToldByPlan(
  { definitions }: ReadWorld,
  { describes }: Pick<BoundPlan, 'describes'>,
  statement: Statement,
): Promise<boolean> {
  // Operators are functions too, so that any text may call a macro.
  if (describes || ESCAPES.test(statement.text) || (await definitions.macros()).length > 0) return false
  const views = namedIn(await definitions.views())
  for (const { parts } of namesIn(statement))
    for (const name of parts) if (saysMore(name) || views({ name }).length > 0) return false
  return true
}

/** Of a function that reads what is not in the plan, or not by the name that is there. */
const saysMore = (name: string): boolean => {
  const small = name.toLowerCase()
  return OPAQUE.has(small) || OF_TYPES.has(small) || DRAWS.test(name)
}

/** All names of a text and of the macros that it calls, these macros, and whether it reads tables that nobody names. */
export async function namesThrough(
  world: ReadWorld,
  named: Names,
  places: readonly Place[],
): Promise<{ names: Names; called: readonly ObjectUse[]; isOpaque: boolean }> {
  const { macros, names } = await throughSession(world, { names: named, places })
  requireSteady(names)
  const called = macros.map((macro) => calls(macro, null))
  return { names, called, isOpaque: namesOpaque(names) }
}

/** A macro is text that can be replaced: what it stands for is told with it. */
const calls = (macro: DefinedMacro, through: ObjectName | null): ObjectUse => ({
  ...use(objectName('function', macro), through),
  body: printOf(macro),
})

/**
 * Who reads what. The plan has every table that is read, also those below views and macros, but not by whose rights. What a
 * view reads is what stands in the plan exactly as in that of the view's own definition, bound where nothing of this
 * session is. Every other table is read by the statement itself.
 */
export async function readsOf(
  world: ReadWorld,
  reading: Reading,
  through: ObjectName | null = null,
): Promise<ObjectUse[]> {
  const { macros, names, places } = await throughSession(world, reading)
  requireSteady(names)
  const isOpaque = namesOpaque(names)
  const { views, leftOut } = await viewsIn(world, { tree: reading.tree, names, places })
  const { isInsert = false } = reading
  const whole = readPlan(reading.tree, { isInsert })
  const direct = isOpaque ? whole : readPlan(reading.tree, { isInsert, leftOut })
  // What a macro reads, or what is named by a value, is not what the owner of a view has made the view of.
  const isOwn = (object: FullName) =>
    (macros.length === 0 && !isOpaque) || reading.names.tables.some((name) => canMean(name, object))
  const used = (type: 'table' | 'view', object: FullName) =>
    use(objectName(type, object), isOwn(object) ? through : null)
  const uses = [
    ...direct.scans.map((table) => used('table', table)),
    ...macros.map((macro) => calls(macro, through)),
  ]
  if (through === null && whole.lists) uses.push(use(LISTING, null))
  if (direct.describes && !reading.isShown)
    uses.push(...(await describedIn(world, { names, places, through })))
  for (const one of views) {
    uses.push(used('view', one.view), ...(await belowView(world, one)))
    if (through === null) world.onView?.(one.view, one.clean)
  }
  if (asksTypes(names))
    for (const name of names.tables.filter((one) => !whole.scans.some((table) => canMean(one, table))))
      uses.push(...(await readsOfName(world, name, { places, through })))
  return uses
}

/** What is named in a text, and in all that it stands for. */
interface Through {
  readonly macros: readonly DefinedMacro[]
  readonly names: Names
  readonly places: readonly Place[]
}

/**
 * The macros that are named, and all that is named in what they stand for. A macro reads by the rights of whoever runs
 * the statement, also where a view calls it: it may have been replaced since the view was made. In the same way a view
 * that is the session's own, or the transaction's, stands for its text alone.
 */
async function throughSession(
  world: ReadWorld,
  { names, places }: Pick<Reading, 'names' | 'places'>,
): Promise<Through> {
  const macros: DefinedMacro[] = []
  const views: DefinedView[] = []
  const all: Names[] = [names]
  const around: Place[] = [...places]
  for (let next: Names | undefined = names; next && !isNameless(next);) {
    if (namesByValue(next)) world.onNamedByValue?.()
    const called = await macrosIn(world, next, around)
    const newMacros = called.filter((macro) => !macros.includes(macro))
    const opened = await openViewsIn(world, next, around)
    const newViews = opened.filter((view) => !views.includes(view))
    macros.push(...newMacros)
    views.push(...newViews)
    around.push(...newMacros, ...newViews)
    const inMacros = newMacros.map((macro) => namesInMacro(world.serializer, macro))
    const inViews = newViews.map((view) => bodyOf(world, view))
    const found = await Promise.all([...inMacros, ...inViews])
    next = found.length > 0 ? joined(...found) : undefined
    if (next) all.push(next)
  }
  return { macros, names: joined(...all), places: around }
}

const isNameless = ({ tables, described, functions }: Names): boolean =>
  tables.length + described.length + functions.length === 0

async function macrosIn(
  { definitions }: ReadWorld,
  { functions }: Names,
  places: readonly Place[],
): Promise<DefinedMacro[]> {
  if (functions.length === 0) return []
  const known = namedIn(await definitions.macros())
  return distinctOf(functions.flatMap((name) => known(name).filter((macro) => mayCall(name, macro, places))))
}

const isTemporary = ({ catalog }: Place): boolean => catalog === 'temp'

const mayCall = (name: Names['functions'][number], macro: DefinedMacro, places: readonly Place[]): boolean =>
  isTemporary(macro) ? canMean(name, macro) : means(name, macro, places)

/** The views that stand between nobody and what they read: whoever reads one reads that themselves. */
async function openViewsIn(
  world: ReadWorld,
  { tables, described }: Names,
  places: readonly Place[],
): Promise<DefinedView[]> {
  const named = [...tables, ...described]
  if (named.length === 0) return []
  const known = namedIn(await world.definitions.views())
  const open: DefinedView[] = []
  for (const view of distinctOf(
    named.flatMap((name) =>
      known(name).filter((one) => (isTemporary(one) ? canMean(name, one) : means(name, one, places))),
    ),
  ))
    if (!isWithin(view, places) && (isTemporary(view) || !(await cleanOf(world, view)))) open.push(view)
  return open
}

/** Of a view that the open transaction has made or changed there is none: nobody else knows it so. */
async function cleanOf(world: ReadWorld, view: DefinedView): Promise<CleanView | 'text' | null> {
  const clean = await world.clean.of(view).catch(textInstead)
  if (!clean || clean === 'text' || !world.isChanging) return clean
  const here = await world.serializer.plan(`FROM ${quoted(view)}`)
  return here && isSamePlan(here, clean.plan) ? clean : null
}

function textInstead(error: unknown): 'text' {
  if (error instanceof ReadsText) return 'text'
  throw error
}

async function namesInMacro(serializer: Serializer, { body, makesTable }: DefinedMacro): Promise<Names> {
  const tree = await serializer.tree(makesTable ? body : `SELECT ${body}`)
  if (!tree) throw new Unresolved('a macro that it calls cannot be read')
  return namesInTree(tree)
}

interface UsedView {
  readonly view: DefinedView
  readonly clean: CleanView
}

/** By a name in its own text, another object is meant. */
const isWithin = (view: DefinedView, places: readonly Place[]): boolean => places.includes(view)

interface Viewing {
  readonly tree: JsonNode
  readonly names: Names
  readonly places: readonly Place[]
}

/** The views that are named, and the operators of the plan that are theirs. */
async function viewsIn(
  world: ReadWorld,
  { tree, names, places }: Viewing,
): Promise<{ views: UsedView[]; leftOut: ReadonlySet<JsonNode> }> {
  if (names.tables.length === 0) return { views: [], leftOut: new Set() }
  const known = namedIn(await world.definitions.views())
  const named = distinctOf(
    names.tables.flatMap((name) =>
      known(name).filter(
        (view) => !isTemporary(view) && means(name, view, places) && !isWithin(view, places),
      ),
    ),
  )
  const candidates: UsedView[] = []
  for (const view of named) {
    const clean = await cleanOf(world, view)
    if (clean === 'text') throw new ReadsText('it reads files that are no Parquet')
    if (clean) candidates.push({ view, clean })
  }
  if (candidates.length === 0) return { views: [], leftOut: new Set() }
  const find = (among: readonly UsedView[]) =>
    placesIn(
      tree,
      among.map((one) => ({ of: one, root: one.clean.root })),
    )
  const first = find(candidates)
  const others = candidates.filter((one) => !first.found.has(one))
  if (others.length === 0) return { views: candidates, leftOut: first.places }
  const again = await meantHere(world, others, places)
  const { found, places: leftOut } = find([...first.found, ...again])
  // One that reads no table is found by its name alone.
  const isUsed = (one: UsedView) => found.has(one) || one.clean.scans.length === 0
  return { views: [...first.found, ...again].filter(isUsed), leftOut }
}

/** Views that do not stand in the plan as they are known: they ask for variables of the session, or are not meant at all. */
async function meantHere(
  world: ReadWorld,
  views: readonly UsedView[],
  places: readonly Place[],
): Promise<UsedView[]> {
  const meant: UsedView[] = []
  for (const one of views) {
    const here = await world.serializer.plan(`FROM ${quoted(one.view)}`)
    if (!here) continue
    if (isSamePlan(here, one.clean.plan)) meant.push(one)
    else {
      const clean = await world.clean.of(one.view, 'withVariables')
      if (!clean || !isSamePlan(here, clean.plan)) await refuseOther(world, { ...one, here }, places)
      else meant.push({ view: one.view, clean })
    }
  }
  return meant
}

/** By what the session has, the view would show something else than it was made for. */
async function refuseOther(
  world: ReadWorld,
  { view, here }: UsedView & { here: JsonNode },
  places: readonly Place[],
): Promise<never> {
  const through = await throughSession(world, { names: await bodyOf(world, view), places: [view, ...places] })
  await refuseCapturedIn(world, { view, scans: readPlan(here).scans, ...through }, places)
  throw new OtherMeaning(view)
}

/** A view means something else in this session than in a clean one. */
export class OtherMeaning extends Error {
  override readonly name = 'OtherMeaning'

  constructor(readonly view: DefinedView) {
    super('A view means something else in this session.')
  }
}

async function belowView(world: ReadWorld, { view, clean }: UsedView): Promise<ObjectUse[]> {
  const reading = { tree: clean.plan, names: await bodyOf(world, view), places: [view] }
  return readsOf({ ...world, definitions: lastingOf(world.definitions) }, reading, objectName('view', view))
}

async function refuseCapturedIn(
  { definitions }: ReadWorld,
  body: Body,
  places: readonly Place[],
): Promise<void> {
  const macros = body.names.functions.length > 0 ? await definitions.macros() : []
  refuseCaptured(body, { macros, views: await definitions.views(), places })
}

async function bodyOf({ serializer }: ReadWorld, view: DefinedView): Promise<Names> {
  const part = queryPart(readStatement(view.sql))
  const body = part && (await serializer.tree(view.sql.slice(part.start, part.end)))
  if (!body) throw new Unresolved(`the definition of the view ${view.name} cannot be read`)
  return namesInTree(body)
}

/** Showing the columns of something is reading it. */
async function describedIn(
  world: ReadWorld,
  { names, places, through }: Pick<Reading, 'names' | 'places'> & { through: ObjectName | null },
): Promise<ObjectUse[]> {
  if (names.described.length === 0)
    throw new Unresolved('it shows the columns of something that is not named')
  const uses: ObjectUse[] = []
  for (const name of names.described) uses.push(...(await readsOfName(world, name, { places, through })))
  return uses
}

interface From {
  readonly places: readonly Place[]
  readonly through: ObjectName | null
}

/** What is read by reading what is called so. */
async function readsOfName(world: ReadWorld, name: WrittenName, from: From): Promise<ObjectUse[]> {
  const { places, through } = from
  try {
    const plan = await world.serializer.plan(`FROM ${quoted(name)}`)
    // Of a common table expression there is no plan.
    if (!plan) return []
    const names = { tables: [name], described: [], functions: [] }
    return await readsOf(world, { tree: plan, names, places, isShown: true }, through)
  } catch (error) {
    if (!(error instanceof ReadsText)) throw error
  }
  return textsOfName(world, name, from)
}

/** Of a name that stands for files without a plan, or for a view of such: all that it may mean. */
async function textsOfName(
  world: ReadWorld,
  name: WrittenName,
  { places, through }: From,
): Promise<ObjectUse[]> {
  const all = namedIn(await world.definitions.views())(name)
  // What such a one names is among the names of the text.
  if (all.some((view) => isTemporary(view) && canMean(name, view))) return []
  const isMeant = (object: FullName) => means(name, object, places)
  const tables = namedIn(await world.definitions.files())(name).filter(isMeant)
  const views = all.filter((view) => isMeant(view) && !isWithin(view, places))
  if (tables.length + views.length === 0) throw new Unresolved('it reads files in a way that cannot be told')
  const uses = tables.map((table) => use(objectName('table', table), through))
  for (const view of views) {
    const body = await bodyOf(world, view)
    await refuseCapturedIn(world, { view, scans: [], names: body }, places)
    if (through === null) world.onView?.(view, null)
    const below = { places: [view, ...places], through: objectName('view', view) }
    uses.push(use(objectName('view', view), through), ...(await readsByNames(world, body, below)))
  }
  return uses
}

/**
 * Who reads what in a text that reads files of which DuckDB writes no plan: all that it names. What may read without
 * naming it is not allowed beside them.
 */
export async function readsByNames(world: ReadWorld, names: Names, from: From): Promise<ObjectUse[]> {
  const { names: all, called, isOpaque } = await namesThrough(world, names, from.places)
  if (called.length > 0 || isOpaque || all.functions.some(({ name }) => DRAWS.test(name)))
    throw new Unresolved(
      'it reads CSV or JSON files and calls a macro, a sequence, or what may read any table',
    )
  const uses: ObjectUse[] = []
  for (const name of [...all.tables, ...all.described]) uses.push(...(await readsOfName(world, name, from)))
  return uses
}

/** Each once. */
export function distinct(uses: readonly ObjectUse[]): ObjectUse[] {
  return [...new Map(uses.map((one) => [JSON.stringify(one), one])).values()]
}
