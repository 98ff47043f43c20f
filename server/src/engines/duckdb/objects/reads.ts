import { type Statement, namesIn, queryPart, readStatement } from '@boathouse/sql'
import type { ObjectName, ObjectUse } from '../../objects.ts'
import { CHANGING_FUNCTIONS } from '../guard/changing-functions.ts'
import { type BoundPlan, Unresolved, readPlan } from './bound-plan.ts'
import { type Body, refuseCaptured } from './captured-names.ts'
import type { DefinedMacro, DefinedView, Definitions } from './definitions.ts'
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
import { distinctOf, namedIn } from './name-index.ts'
import { type Names, joined, namesInTree } from './parse-tree.ts'
import { ReadsText, type Serializer } from './serialized.ts'

/** A text that reads: what is bound of it, what is written in it, and where it stands. */
export interface Reading {
  readonly plan: Pick<BoundPlan, 'scans' | 'describes' | 'lists'>
  readonly names: Names
  readonly places: readonly Place[]
}

export interface ReadWorld {
  readonly serializer: Serializer
  readonly definitions: Definitions
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
  const plan = { scans: [], describes: false, lists: false }
  const { macros, names } = await withMacros(world, { plan, names: named, places })
  requireSteady(names)
  const called = macros.map((macro) => use(objectName('function', macro), null))
  return { names, called, isOpaque: namesOpaque(names) }
}

/**
 * Who reads what. The plan has every table that is read, also those below views and macros, but not by whose rights; the
 * names in the text tell that. A table that is not below a view named in the text is read by the statement itself,
 * whether its name was found or not: what is overlooked is never allowed for that.
 */
export async function readsOf(
  world: ReadWorld,
  reading: Reading,
  through: ObjectName | null = null,
): Promise<ObjectUse[]> {
  const { macros, names, places } = await withMacros(world, reading)
  requireSteady(names)
  const { scans } = reading.plan
  const views = await viewsIn(world, { scans, names, places })
  const below = new Set(views.flatMap((view) => view.scans.map(keyOf)))
  const isOpaque = namesOpaque(names)
  const isDirect = (table: FullName) =>
    isOpaque || !below.has(keyOf(table)) || names.tables.some((name) => canMean(name, table))
  // What a macro reads, or what is named by a value, is not what the owner of a view has made the view of.
  const isOwn = (object: FullName) =>
    (macros.length === 0 && !isOpaque) || reading.names.tables.some((name) => canMean(name, object))
  const used = (type: 'table' | 'view', object: FullName) =>
    use(objectName(type, object), isOwn(object) ? through : null)
  const uses = [
    ...scans.filter(isDirect).map((table) => used('table', table)),
    ...macros.map((macro) => use(objectName('function', macro), through)),
  ]
  if (reading.plan.lists) uses.push(use(LISTING, null))
  const describes =
    reading.plan.describes && !(names.described.length === 0 && views.some((view) => view.describes))
  if (describes) uses.push(...(await describedIn(world, { names, places, through })))
  for (const one of views) uses.push(used('view', one.view), ...(await belowView(world, one, places)))
  if (asksTypes(names))
    for (const name of names.tables.filter((one) => !scans.some((table) => canMean(one, table))))
      uses.push(...(await readsOfName(world, name, { places, through })))
  return uses
}

/**
 * The macros that are named, and all that is named in what they stand for. A macro reads by the rights of whoever runs
 * the statement, also where a view calls it: it may have been replaced since the view was made.
 */
async function withMacros(
  { serializer, definitions, onNamedByValue }: ReadWorld,
  { names, places }: Reading,
): Promise<{ macros: DefinedMacro[]; names: Names; places: readonly Place[] }> {
  const macros: DefinedMacro[] = []
  const all: Names[] = [names]
  const around: Place[] = [...places]
  for (let next = all[0]; next && next.functions.length > 0;) {
    if (namesByValue(next)) onNamedByValue?.()
    const known = namedIn(await definitions.macros())
    const found = distinctOf(
      next.functions.flatMap((name) =>
        known(name).filter((macro) => !macros.includes(macro) && mayCall(name, macro, around)),
      ),
    )
    if (found.length === 0) break
    macros.push(...found)
    around.push(...found)
    next = joined(...(await Promise.all(found.map((macro) => namesInMacro(serializer, macro)))))
    all.push(next)
  }
  return { macros, names: joined(...all), places: around }
}

const mayCall = (name: Names['functions'][number], macro: DefinedMacro, places: readonly Place[]): boolean =>
  macro.catalog === 'temp' ? canMean(name, macro) : means(name, macro, places)

async function namesInMacro(serializer: Serializer, { body, makesTable }: DefinedMacro): Promise<Names> {
  const tree = await serializer.tree(makesTable ? body : `SELECT ${body}`)
  if (!tree) throw new Unresolved('a macro that it calls cannot be read')
  return namesInTree(tree)
}

interface UsedView {
  readonly view: DefinedView
  readonly scans: readonly FullName[]
  readonly describes: boolean
}

/** By a name in its own text, another object is meant. */
const isWithin = (view: DefinedView, places: readonly Place[]): boolean => places.includes(view)

/** The views that are named, each with the tables below it. A name that is of something else has other tables. */
async function viewsIn(
  { serializer, definitions }: ReadWorld,
  { scans, names, places }: { scans: readonly FullName[]; names: Names; places: readonly Place[] },
): Promise<UsedView[]> {
  if (names.tables.length === 0) return []
  const known = namedIn(await definitions.views())
  const named = distinctOf(
    names.tables.flatMap((name) =>
      known(name).filter(
        (view) => view.catalog !== 'temp' && means(name, view, places) && !isWithin(view, places),
      ),
    ),
  )
  const read = new Set(scans.map(keyOf))
  const used: UsedView[] = []
  for (const view of named) {
    const plan = await serializer.plan(`FROM ${quoted(view)}`)
    if (!plan) continue
    const { scans: below, describes } = readPlan(plan)
    if (below.every((table) => read.has(keyOf(table)))) used.push({ view, scans: below, describes })
  }
  return used
}

async function belowView(
  world: ReadWorld,
  { view, scans, describes }: UsedView,
  places: readonly Place[],
): Promise<ObjectUse[]> {
  const reading = {
    plan: { scans, describes, lists: false },
    names: await bodyOf(world, view),
    places: [view, ...places],
  }
  await refuseCapturedIn(world, { view, scans, ...(await withMacros(world, reading)) }, places)
  return readsOf(world, reading, objectName('view', view))
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
  { names, places, through }: Omit<Reading, 'plan'> & { through: ObjectName | null },
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
    const own = { plan: { ...readPlan(plan), describes: false }, places }
    return await readsOf(world, { ...own, names: { tables: [name], described: [], functions: [] } }, through)
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
  const isMeant = (object: FullName) => means(name, object, places)
  const tables = namedIn(await world.definitions.files())(name).filter(isMeant)
  const views = namedIn(await world.definitions.views())(name).filter(
    (view) => view.catalog !== 'temp' && isMeant(view) && !isWithin(view, places),
  )
  if (tables.length + views.length === 0) throw new Unresolved('it reads files in a way that cannot be told')
  const uses = tables.map((table) => use(objectName('table', table), through))
  for (const view of views) {
    const body = await bodyOf(world, view)
    await refuseCapturedIn(world, { view, scans: [], names: body }, places)
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
