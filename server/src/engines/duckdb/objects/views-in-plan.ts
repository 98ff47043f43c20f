import { queryPart, readStatement } from '@boathouse/sql'
import { Unresolved, readPlan } from './bound-plan.ts'
import { type Body, refuseCaptured } from './captured-names.ts'
import type { CleanPlans, CleanView } from './clean-plans.ts'
import { type DefinedMacro, type DefinedView, type Definitions, lastingOf } from './definitions.ts'
import { namesByValue } from './functions-that-read.ts'
import type { JsonNode } from './json-tree.ts'
import { distinctOf, namedIn } from './name-index.ts'
import { type Place, type WrittenName, canMean, means, quoted } from './names.ts'
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
  /** Called for each view that the statement itself reads, with its plan; null where there is none. */
  onView?(view: DefinedView, clean: CleanView | null): void
  /** Called when something is named by a value: it may be another object the next time. */
  onNamedByValue?(): void
}

/** What is named in a text, and in all that it stands for. */
interface Through {
  readonly macros: readonly DefinedMacro[]
  readonly names: Names
  readonly places: readonly Place[]
}

/**
 * The macros that are named, and all that is named in their bodies. A macro reads with the privileges of the user
 * who runs the statement, also where a view calls it: it may have been replaced since the view was made. In the same
 * way, a view of the session alone, or of its open transaction, counts as its text.
 */
export async function throughSession(
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

export const isTemporary = ({ catalog }: Place): boolean => catalog === 'temp'

const mayCall = (name: Names['functions'][number], macro: DefinedMacro, places: readonly Place[]): boolean =>
  isTemporary(macro) ? canMean(name, macro) : means(name, macro, places)

/** The views that protect nothing: a user who reads one needs the privileges on what it reads. */
async function openViewsIn(
  world: ReadWorld,
  { tables, described }: Names,
  places: readonly Place[],
): Promise<DefinedView[]> {
  const named = [...tables, ...described]
  if (named.length === 0) return []
  const known = namedIn(await world.definitions.views())
  const views = distinctOf(
    named.flatMap((name) =>
      known(name).filter((one) => (isTemporary(one) ? canMean(name, one) : means(name, one, places))),
    ),
  )
  const open: DefinedView[] = []
  for (const view of views)
    if (!isWithin(view, places) && (await isOpen(world, view, places))) open.push(view)
  return open
}

async function isOpen(world: ReadWorld, view: DefinedView, places: readonly Place[]): Promise<boolean> {
  if (isTemporary(view)) return true
  if (await cleanOf(world, view)) return false
  if (world.isChanging) return true
  // It cannot be bound outside of this session, but perhaps within it.
  const here = await world.serializer.plan(`FROM ${quoted(view)}`)
  if (here) await refuseOther(world, { view, here }, places)
  return false
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

export interface UsedView {
  readonly view: DefinedView
  readonly clean: CleanView
}

/** By a name in its own text, another object is meant. */
export const isWithin = (view: DefinedView, places: readonly Place[]): boolean => places.includes(view)

interface Viewing {
  readonly tree: JsonNode
  readonly names: Names
  readonly places: readonly Place[]
}

/** Those that last. */
async function viewsNamed(
  { definitions }: ReadWorld,
  { tables }: Names,
  places: readonly Place[],
): Promise<DefinedView[]> {
  const known = namedIn(await lastingOf(definitions).views())
  const isNamed = (name: WrittenName) => (view: DefinedView) =>
    means(name, view, places) && !isWithin(view, places)
  return distinctOf(tables.flatMap((name) => known(name).filter(isNamed(name))))
}

/** The views that are named, and the operators of the plan that are theirs. */
export async function viewsIn(
  world: ReadWorld,
  { tree, names, places }: Viewing,
): Promise<{ views: UsedView[]; leftOut: ReadonlySet<JsonNode> }> {
  if (names.tables.length === 0) return { views: [], leftOut: new Set() }
  const named = await viewsNamed(world, names, places)
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
      if (!clean || !isSamePlan(here, clean.plan)) await refuseOther(world, { view: one.view, here }, places)
      else meant.push({ view: one.view, clean })
    }
  }
  return meant
}

/** By what the session has, the view would show something else than it was made for. */
async function refuseOther(
  world: ReadWorld,
  { view, here }: { view: DefinedView; here: JsonNode },
  places: readonly Place[],
): Promise<never> {
  const through = await throughSession(world, { names: await bodyOf(world, view), places: [view, ...places] })
  await refuseCapturedIn(world, { view, scans: readPlan(here).scans, ...through }, places)
  for (const below of await viewsNamed(world, through.names, [view])) {
    const clean = await cleanOf(world, below)
    const found = clean && clean !== 'text' && (await world.serializer.plan(`FROM ${quoted(below)}`))
    if (found && !isSamePlan(found, clean.plan))
      await refuseOther(world, { view: below, here: found }, [view])
  }
  throw new OtherMeaning(view)
}

/** A view means something else in this session than in a clean one. */
export class OtherMeaning extends Error {
  override readonly name = 'OtherMeaning'

  constructor(readonly view: DefinedView) {
    super('A view has another meaning in this session.')
  }
}

export async function refuseCapturedIn(
  { definitions }: ReadWorld,
  body: Body,
  places: readonly Place[],
): Promise<void> {
  const macros = body.names.functions.length > 0 ? await definitions.macros() : []
  refuseCaptured(body, { macros, views: await definitions.views(), places })
}

export async function bodyOf({ serializer }: ReadWorld, view: DefinedView): Promise<Names> {
  const part = queryPart(readStatement(view.sql))
  const body = part && (await serializer.tree(view.sql.slice(part.start, part.end)))
  if (!body) throw new Unresolved(`the definition of the view ${view.name} cannot be read`)
  return namesInTree(body)
}
