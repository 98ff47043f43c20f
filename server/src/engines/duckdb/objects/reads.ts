import { type Statement, namesIn } from '@boathouse/sql'
import type { ObjectName, ObjectUse } from '../../engine/objects.ts'
import { type BoundPlan, Unresolved, readPlan } from './bound-plan.ts'
import { type DefinedMacro, lastingOf, printOf } from './definitions.ts'
import { DRAWS, asksTypes, namesOpaque, requireSteady, saysMore } from './functions-that-read.ts'
import { namedIn } from './name-index.ts'
import { type FullName, type Place, type WrittenName, canMean, means, objectName, quoted } from './names.ts'
import type { Names } from './parse-tree.ts'
import { ReadsText } from './serialized.ts'
import {
  type ReadWorld,
  type Reading,
  type UsedView,
  bodyOf,
  isTemporary,
  isWithin,
  refuseCapturedIn,
  throughSession,
  viewsIn,
} from './views-in-plan.ts'

const use = (object: ObjectName, through: ObjectName | null): ObjectUse => ({
  action: 'read',
  object,
  through,
})

export const LISTING: ObjectName = { type: 'listing', catalog: 'system', database: null, name: null }

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

/** A macro is text that can be replaced, so its body is reported with it. */
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

async function belowView(world: ReadWorld, { view, clean }: UsedView): Promise<ObjectUse[]> {
  const reading = { tree: clean.plan, names: await bodyOf(world, view), places: [view] }
  return readsOf({ ...world, definitions: lastingOf(world.definitions) }, reading, objectName('view', view))
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
  if (tables.length + views.length === 0)
    throw new Unresolved('it reads files in a way that cannot be determined')
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
