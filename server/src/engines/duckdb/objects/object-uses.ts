import type { DuckDBConnection } from '@duckdb/node-api'
import { type Statement, type StatementKind, findMention, queryPart } from '@boathouse/sql'
import type { ObjectChange, ObjectName, ObjectUse } from '../../engine/objects.ts'
import { StatementRefused } from '../errors.ts'
import { type BoundPlan, type PlanDefinition, Unresolved, isOfService, readPlan } from './bound-plan.ts'
import { refuseDeepCasts } from './deep-casts.ts'
import { definingOf } from './definition.ts'
import { refuseLostType } from './lost-types.ts'
import type { CleanPlans, CleanView } from './clean-plans.ts'
import type { DefinedView, Definitions } from './definitions.ts'
import type { TableOfFile } from './file-scans.ts'
import { type JsonNode, textOf } from './json-tree.ts'
import { hasMore } from './early-failures.ts'
import { enumUses } from './enum-types.ts'
import { type FullName, keyOf, objectName, quoted } from './names.ts'
import { type Names, NO_NAMES, joined, namesInTree } from './parse-tree.ts'
import { distinct, isToldByPlan, namesThrough, readsByNames, readsOf } from './reads.ts'
import { type Bound, Serializer } from './serialized.ts'
import { definedBy, explainedIn, targetOf } from './statement-target.ts'
import { refuseTakenName } from './taken-names.ts'
import { OtherMeaning, type ReadWorld, type Reading } from './views-in-plan.ts'
import { namesInTokens } from './written-names.ts'

/** What a statement does with which objects. */
export interface Resolved {
  readonly uses: readonly ObjectUse[]
  /** Why these may not be all. */
  readonly unresolved: string | null
  /** Why DuckDB cannot bind it, in which case these are all that it names. Null when it can. */
  readonly unbound: string | null
  /** The same text uses the same objects until a definition changes. */
  readonly isLasting: boolean
  /** It may fail on rows that a view leaves out. */
  readonly mayFailEarly: boolean
  /** The views that it reads itself, with what they mean; null where there is no plan of one. */
  readonly views: readonly ReadView[]
}

export interface ReadView {
  readonly view: DefinedView
  readonly clean: CleanView | null
}

/** What is defined, as the open transaction sees it. */
export interface Seen {
  readonly definitions: Definitions
  /** It has defined some of that itself. */
  readonly isChanging: boolean
}

/** Which definitions a statement changes, as far as that can be determined. */
export interface Changing {
  readonly changes: readonly ObjectChange[]
  readonly altered: readonly ObjectName[]
  readonly isAll: boolean
}

const UNTOLD: Changing = { changes: [], altered: [], isAll: false }

const boundAs =
  (bound: readonly ObjectUse[]) =>
  (change: ObjectChange): ObjectChange =>
    change.change === 'created' ? { ...change, bound } : change

/** DuckDB does not say what goes with what is dropped. */
const cascades = ({ info }: PlanDefinition): boolean => info['cascade'] === true

const NOTHING: Resolved = {
  uses: [],
  unresolved: null,
  unbound: null,
  isLasting: false,
  mayFailEarly: true,
  views: [],
}

// Of a statement that cannot be bound, so many names are looked up.
const MOST_NAMES = 500

/** Finds, in the transaction that is open on a connection, which objects a statement uses. Runs nothing of it. */
export class ObjectUses {
  private readonly serializer: Serializer

  constructor(
    private readonly connection: DuckDBConnection,
    tableOf: TableOfFile,
    private readonly clean: CleanPlans,
  ) {
    this.serializer = new Serializer(connection, tableOf)
  }

  /** Before each statement, and the transaction that is begun for it, and behind it. */
  forget(): void {
    this.serializer.forget()
  }

  async of(sql: string, seen: Seen): Promise<Resolved> {
    const statement = explainedIn(sql)
    if (usesNothing(statement)) return NOTHING
    const views = new Map<DefinedView, CleanView | null>()
    try {
      const onView = (view: DefinedView, clean: CleanView | null) => void views.set(view, clean)
      const resolved = await this.resolve(statement, { ...this.world(seen), onView })
      const uses = distinct(resolved.uses.filter(({ object }) => isShared(object)))
      for (const { object } of uses) refuseService(object)
      return { ...resolved, uses, views: [...views].map(([view, clean]) => ({ view, clean })) }
    } catch (error) {
      if (!(error instanceof Unresolved)) throw error
      return { ...NOTHING, unresolved: error.message }
    }
  }

  /** What it would create, drop or rename. Throws at what could not be opened again. */
  async changesOf(sql: string, seen: Seen): Promise<Changing> {
    const statement = explainedIn(sql)
    try {
      const { plan, place } = await this.serializer.bound(statement.text)
      const definition = (plan && readPlan(plan).definition) ?? null
      refuseLostType(statement, definition, place)
      refuseTakenName(statement, definition)
      if (!definition) return UNTOLD
      const world = this.world(seen)
      const { changes, altered = [] } = await definingOf({ ...world, place }, definition)
      const shared = changes.filter(({ object }) => isShared(object))
      const isView = definition.operator === 'CREATE_VIEW'
      // Among what the transaction has made itself, a view stands for its text: what it uses is seen when it is first read.
      const bound = isView && !seen.isChanging ? await this.boundTo(statement, world) : null
      return {
        changes: bound ? shared.map(boundAs(bound)) : shared,
        altered: altered.filter(isShared),
        isAll: !cascades(definition),
      }
    } catch (error) {
      if (!(error instanceof Unresolved)) throw error
      refuseLostType(statement, null, null)
      refuseTakenName(statement, null)
      return UNTOLD
    }
  }

  /** What a view that is made uses itself; null where that cannot be determined. */
  private async boundTo(statement: Statement, world: ReadWorld): Promise<readonly ObjectUse[] | null> {
    try {
      const uses = await this.viewed(statement, world)
      return distinct(uses.filter(({ through, object }) => through === null && isShared(object)))
    } catch (error) {
      if (error instanceof Unresolved || error instanceof OtherMeaning) return null
      throw error
    }
  }

  /** The query of a view that a statement makes for others, and where; null when it makes none. */
  async newView(sql: string): Promise<{ query: string; view: FullName } | null> {
    const statement = explainedIn(sql)
    if (statement.kind !== 'create-view') return null
    const { plan, place } = await this.serializer.bound(statement.text)
    const definition = plan && readPlan(plan).definition
    const part = queryPart(statement)
    if (definition?.operator !== 'CREATE_VIEW' || !part) return null
    const { info } = definition
    const view = {
      catalog: textOf(info, 'catalog') || place.catalog,
      schema: textOf(info, 'schema') || place.schema,
      name: textOf(info, 'view_name') || textOf(info, 'name'),
    }
    if (view.catalog === 'temp' || info['temporary'] === true) return null
    return { query: statement.text.slice(part.start, part.end), view }
  }

  /** As it is bound now. */
  boundNow(sql: string): Promise<Bound> {
    return this.serializer.boundNow(sql)
  }

  /** Of what it changes or defines; null where that cannot be determined. */
  async writtenCatalog(sql: string): Promise<string | null> {
    try {
      const statement = explainedIn(sql)
      const { plan, place, error } = await this.serializer.bound(statement.text)
      if (error?.readsText) return await this.writtenBesideTexts(statement)
      if (!plan) return null
      const { writes, definition } = readPlan(plan)
      return (
        writes[0]?.table.catalog ?? (definition ? textOf(definition.info, 'catalog') || place.catalog : null)
      )
    } catch (error) {
      if (error instanceof Unresolved) return null
      throw error
    }
  }

  private async writtenBesideTexts(statement: Statement): Promise<string | null> {
    if (statement.kind === 'insert') return (await this.insertedInto(statement))[0]?.object.catalog ?? null
    const part = queryPart(statement)
    if (!part) return null
    const { plan, place } = await this.serializer.bound(`${statement.text.slice(0, part.start)} SELECT 1`)
    const definition = plan && readPlan(plan).definition
    return definition ? textOf(definition.info, 'catalog') || place.catalog : null
  }

  private world(seen: Seen): ReadWorld & { readonly connection: DuckDBConnection } {
    const { connection, serializer, clean } = this
    return { connection, serializer, clean, ...seen }
  }

  private async resolve(statement: Statement, seen: ReturnType<ObjectUses['world']>): Promise<Resolved> {
    const bound = await this.serializer.bound(statement.text)
    if (bound.plan && bound.makesVariant) refuseDeepCasts(bound.plan)
    let isLasting = true
    const world = { ...seen, onNamedByValue: () => void (isLasting = false) }
    if (bound.error?.readsText) return this.resolveTexts(statement, bound, world)
    if (!bound.plan) return this.resolveUnbound(statement, bound, world)
    const isInsert = statement.kind === 'insert'
    const plan = readPlan(bound.plan, { isInsert })
    const isMacro = plan.definition?.operator === 'CREATE_MACRO'
    const saysNoMore = isMacro || (await isToldByPlan(world, plan, statement))
    const names = saysNoMore ? NO_NAMES : await this.namesOf(statement)
    const reads = await readsOf(world, { tree: bound.plan, names, places: [bound.place], isInsert })
    const uses = [...ofTargets(reads, plan), ...writesAndDraws(plan)]
    uses.push(...(await this.enumsIn(bound, reads)))
    const mayFailEarly = await this.failsBeforeViews(plan, reads)
    if (!plan.definition) return { ...NOTHING, uses, isLasting, mayFailEarly }
    const defining = await definingOf({ ...world, place: bound.place }, plan.definition)
    if (plan.definition.operator === 'CREATE_VIEW') uses.push(...(await this.viewed(statement, world)))
    return { ...NOTHING, uses: [...uses, ...defining.uses], mayFailEarly }
  }

  /** Whether it does something that may fail too early, beside what its views do themselves. */
  private async failsBeforeViews(plan: BoundPlan, reads: readonly ObjectUse[]): Promise<boolean> {
    if (plan.failsEarly.length === 0) return false
    const views = await this.viewPlans(reads)
    return hasMore(
      plan.failsEarly,
      views.flatMap((view) => readPlan(view).failsEarly),
    )
  }

  private async enumsIn({ plan, hasEnums }: Bound, reads: readonly ObjectUse[]): Promise<ObjectUse[]> {
    return plan && hasEnums ? enumUses(this.connection, plan, await this.viewPlans(reads)) : []
  }

  /** Of the views that it names itself. */
  private async viewPlans(reads: readonly ObjectUse[]): Promise<readonly JsonNode[]> {
    const plans: JsonNode[] = []
    for (const { object, through } of distinct(reads)) {
      if (object.type !== 'view' || through !== null) continue
      const view = { catalog: object.catalog, schema: object.database ?? '', name: object.name ?? '' }
      const plan = await this.serializer.plan(`FROM ${quoted(view)}`)
      if (plan) plans.push(plan)
    }
    return plans
  }

  /** By DuckDB's parser where it takes the statement, or the query in it, apart; else all that our own lexer finds. */
  private async namesOf(statement: Statement): Promise<Names> {
    const tree = await this.serializer.tree(statement.text)
    if (tree) return namesInTree(tree)
    const part = queryPart(statement)
    const query = part && (await this.serializer.tree(statement.text.slice(part.start, part.end)))
    if (!part || !query) return namesInTokens(statement)
    const { first, until } = statement
    return joined(
      namesInTokens(statement, { first, until: part.first }),
      namesInTree(query),
      namesInTokens(statement, { first: part.until, until }),
    )
  }

  private async wholeNames(statement: Statement): Promise<Names> {
    const tree = await this.serializer.tree(statement.text)
    return tree ? namesInTree(tree) : namesInTokens(statement)
  }

  /** Users who make a view must be able to read what it reads: DuckDB binds it, but nothing of it is in the plan. */
  private async viewed(statement: Statement, world: ReadWorld): Promise<ObjectUse[]> {
    const part = queryPart(statement)
    const text = part && statement.text.slice(part.start, part.end)
    const query = text && (await this.serializer.bound(text))
    const tree = text && (await this.serializer.tree(text))
    if (query && tree && query.error?.readsText)
      return readsByNames(world, namesInTree(tree), { places: [query.place], through: null })
    if (!query || !query.plan || !tree) throw new Unresolved('the query of the view cannot be read')
    const plan = readPlan(query.plan)
    const reading: Reading = { tree: query.plan, names: namesInTree(tree), places: [query.place] }
    const reads = await readsOf(world, reading)
    return [...reads, ...writesAndDraws(plan), ...(await this.enumsIn(query, reads))]
  }

  /** A statement that reads CSV or JSON files, of which DuckDB writes no plan: by all that it names. */
  private async resolveTexts(statement: Statement, { place }: Bound, world: ReadWorld): Promise<Resolved> {
    const from = { places: [place], through: null }
    if (statement.class === 'reads')
      return { ...NOTHING, uses: await readsByNames(world, await this.wholeNames(statement), from) }
    const part = queryPart(statement)
    const query = part && (await this.serializer.tree(statement.text.slice(part.start, part.end)))
    if (!query || !KEEPS_TEXTS.has(statement.kind) || DOES_MORE.test(statement.text))
      throw new Unresolved(
        'CSV and JSON files can be read only by SELECT, CREATE TABLE … AS and INSERT … SELECT',
      )
    const reads = await readsByNames(world, namesInTree(query), from)
    const writes =
      statement.kind === 'insert'
        ? await this.insertedInto(statement)
        : await this.compoundUses(statement, world, reads)
    return { ...NOTHING, uses: [...reads, ...writes] }
  }

  private async insertedInto(statement: Statement): Promise<readonly ObjectUse[]> {
    const into = targetOf(statement)
    const plan = into && (await this.serializer.plan(`FROM ${quoted(into.name)}`))
    const [table, ...others] = plan ? readPlan(plan).scans : []
    if (!table || others.length > 0)
      throw new Unresolved('the table that it adds rows to cannot be determined')
    return [{ action: 'insert', object: objectName('table', table), through: null }]
  }

  /**
   * A statement that DuckDB makes several of, or cannot bind. Everything that it may name counts as used; of the latter
   * because the reason would tell about it.
   */
  private async resolveUnbound(
    statement: Statement,
    { error, place }: Bound,
    world: ReadWorld,
  ): Promise<Resolved> {
    const written = await this.wholeNames(statement)
    const isCompound = error?.isCompound === true
    const { names, called, isOpaque } = await namesThrough(world, written, [place])
    if (isOpaque || (isCompound && called.length > 0))
      throw new Unresolved(
        'it calls a function that may read any table, and cannot be bound as one statement',
      )
    const target = isCompound ? definedBy(statement) : targetOf(statement)
    const tables = new Map(names.tables.map((name) => [quoted(name), name]))
    if (tables.size > MOST_NAMES) throw new Unresolved('it has too many names')
    const uses: ObjectUse[] = [...called]
    for (const name of tables.values()) {
      const plan = await this.serializer.plan(`FROM ${quoted(name)}`)
      if (!plan) continue
      const reading = { tree: plan, names: { ...NO_NAMES, tables: [name] }, places: [place] }
      const reads = await readsOf(world, reading)
      const action = target !== null && quoted(target.name) === quoted(name) ? target.action : 'read'
      uses.push(...reads.map((one) => (one.through === null ? { ...one, action } : one)))
    }
    if (isCompound) uses.push(...(await this.compoundUses(statement, world, uses)))
    return { ...NOTHING, uses, unbound: isCompound ? null : (error?.message ?? '') }
  }

  /** DuckDB makes several statements out of one that reads, one that keeps what it reads, and one that adds a column. */
  private async compoundUses(
    statement: Statement,
    world: ReadWorld,
    uses: readonly ObjectUse[],
  ): Promise<readonly ObjectUse[]> {
    if (statement.class === 'reads') return []
    if (statement.kind === 'alter-table' && uses.some(({ action }) => action === 'alter')) return []
    const part = statement.kind === 'create-table' ? queryPart(statement) : null
    if (!part) throw new Unresolved('the engine makes several statements of it')
    const { plan, place } = await this.serializer.bound(`${statement.text.slice(0, part.start)} SELECT 1`)
    const definition = plan && readPlan(plan).definition
    if (!definition) throw new Unresolved('the engine makes several statements of it')
    const defining = await definingOf({ ...world, connection: this.connection, place }, definition)
    return defining.uses
  }
}

/** Of files without a plan. */
const KEEPS_TEXTS: ReadonlySet<StatementKind> = new Set(['insert', 'create-table'])
/** It may change rows that are there, or read them. */
const DOES_MORE = /\b(?:conflict|ignore|replace|returning)\b/i

/** What is read of the tables that it changes. */
function ofTargets(reads: readonly ObjectUse[], { writes }: BoundPlan): readonly ObjectUse[] {
  if (writes.length === 0) return reads
  const targets = new Set(writes.map(({ table }) => keyOf(table)))
  return reads.map((one) => {
    const { catalog, database, name, type } = one.object
    const isTarget =
      type === 'table' &&
      one.through === null &&
      targets.has(keyOf({ catalog, schema: database ?? '', name: name ?? '' }))
    return isTarget ? { ...one, ofTarget: true } : one
  })
}

function writesAndDraws({ writes, sequences }: BoundPlan): ObjectUse[] {
  return [
    ...writes.map(({ action, table }) => ({
      action,
      object: objectName('table', table),
      through: null,
      ...(action === 'read' && { ofTarget: true as const }),
    })),
    ...sequences.map((name) => ({
      action: 'update' as const,
      object: objectName('sequence', name),
      through: null,
    })),
  ]
}

/** Temporary objects are of the session alone. */
const isShared = ({ catalog }: ObjectName): boolean => catalog !== 'temp'

function refuseService({ catalog, database, name }: ObjectName): void {
  if (!isOfService({ catalog, schema: database ?? '', name: name ?? '' })) return
  const message = 'This statement uses an object of the service, which can neither be read nor changed.'
  throw new StatementRefused({ kind: 'permission', message })
}

/** `select 1` and the like: no name in it. */
const usesNothing = (statement: Statement): boolean =>
  statement.kind === 'select' && findMention(statement, (name) => !/^select$/i.test(name)) === null
