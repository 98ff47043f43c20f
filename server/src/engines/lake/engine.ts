import type { Attachments } from '../engine/attachments.ts'
import type { CatalogReader, Catalogs } from '../engine/catalogs.ts'
import type { DescriptionReader, Descriptions } from '../engine/descriptions.ts'
import type { Engine } from '../engine/engine.ts'
import type { DatabasePlace } from '../engine/names.ts'
import type { EngineSession, SessionState } from '../engine/session.ts'
import { lakeDescriptions } from './descriptions.ts'
import { effectsWithLake } from './effects.ts'
import { lakeLists } from './lists.ts'
import { LakeSession, type LakeScene } from './session.ts'
import { LAKE_DATABASE_STATEMENTS, leaveBy } from './statements.ts'
import { CHANGED_ELSEWHERE, LAKE_TABLE_STATEMENTS } from './table-statements.ts'

interface LakeOfEngine extends LakeScene {
  /** Since its first cluster, which may start while the engine runs. */
  isThere(): boolean
  /** Where a session of the engine is while it is in the lake. */
  readonly home: DatabasePlace
}

/** An engine of the account's own data that lists its lake as one more catalog. What is in it, clusters read and write. */
export function withLake(inner: Engine, scene: LakeOfEngine): Engine {
  const { catalogs, descriptions, attachments, effects } = inner
  if (!catalogs || !descriptions || !attachments) return inner
  const isLake = (name: string): boolean =>
    name.toLowerCase() === scene.catalog && attachments.named(name) === null && scene.isThere()
  const routing = { ...scene, isLake }
  return {
    ...parts(inner),
    catalogs: routedCatalogs(catalogs, routing),
    descriptions: routedDescriptions(descriptions, routing),
    attachments: routedAttachments(attachments, routing),
    effects: effects && effectsWithLake(effects, scene),
    async openSession(state: SessionState): Promise<EngineSession> {
      const isInLake = isLake(state.catalog)
      const place = isInLake ? { ...state, ...scene.home } : state
      return new LakeSession(await inner.openSession(place), scene, isInLake)
    },
  }
}

/** What stays as it is. Methods of an engine need it as their `this`. */
const parts = (inner: Engine) => ({
  kind: inner.kind,
  dialect: inner.dialect,
  usesAre: inner.usesAre,
  resize:
    inner.resize &&
    ((...size: Parameters<NonNullable<Engine['resize']>>) => inner.resize?.(...size) ?? Promise.resolve()),
  explain: inner.explain,
  profiling: inner.profiling,
  describing: inner.describing,
  tableSizes: inner.tableSizes,
  files: inner.files,
  lost: inner.lost,
  settled: (queryId: string) => inner.settled(queryId),
  close: () => inner.close(),
  ...(inner.cpuMs && { cpuMs: () => inner.cpuMs?.() ?? Promise.resolve(0) }),
  ...(inner.nodes && { nodes: () => inner.nodes?.() ?? [] }),
})

interface Routing extends LakeOfEngine {
  isLake(catalog: string): boolean
}

function routedCatalogs(inner: Catalogs, { lake, isLake }: Routing): Catalogs {
  const { statements } = inner
  return {
    ...inner,
    whyFixed: (catalog) => (isLake(catalog) ? CHANGED_ELSEWHERE : (inner.whyFixed?.(catalog) ?? null)),
    in(asking): CatalogReader {
      const [own, its] = [inner.in(asking), lakeLists(lake)]
      const of = (catalog: string): CatalogReader => (isLake(catalog) ? its : own)
      return {
        databases: (catalog, seen) => of(catalog).databases(catalog, seen),
        databasePage: (catalog, page) => of(catalog).databasePage(catalog, page),
        databaseNamed: (place) => of(place.catalog).databaseNamed(place),
        tables: (place, list) => of(place.catalog).tables(place, list),
        tablePage: (place, type, page) => of(place.catalog).tablePage(place, type, page),
        objectNamed: (place, object) => of(place.catalog).objectNamed(place, object),
        allTables: (catalog, most) => of(catalog).allTables(catalog, most),
      }
    },
    statements: {
      createDatabase: (place, options) =>
        (isLake(place.catalog) ? LAKE_DATABASE_STATEMENTS : statements).createDatabase(place, options),
      dropDatabase: (place, options) =>
        (isLake(place.catalog) ? LAKE_DATABASE_STATEMENTS : statements).dropDatabase(place, options),
      enter: (place) =>
        isLake(place.catalog) ? LAKE_DATABASE_STATEMENTS.enter(place) : leaveBy(statements.enter(place)),
    },
  }
}

function routedDescriptions(inner: Descriptions, { lake, isLake }: Routing): Descriptions {
  const { statements } = inner
  const wordsOf = (catalog: string) => (isLake(catalog) ? LAKE_TABLE_STATEMENTS : statements)
  return {
    in(asking): DescriptionReader {
      const [own, its] = [inner.in(asking), lakeDescriptions(lake, asking)]
      const of = (catalog: string): DescriptionReader => (isLake(catalog) ? its : own)
      return {
        names: (catalog, most) => of(catalog).names(catalog, most),
        columnNames: (catalog, most) => of(catalog).columnNames(catalog, most),
        functionPage: (place, page) => of(place.catalog).functionPage(place, page),
        object: (place) => of(place.catalog).object(place),
        estimate: (place) => of(place.catalog).estimate(place),
        columns: (place, page) => of(place.catalog).columns(place, page),
        keys: (place) => of(place.catalog).keys(place),
        tables: (place, list) => of(place.catalog).tables(place, list),
        definition: (place) => of(place.catalog).definition(place),
        countRows: (place) => of(place.catalog).countRows(place),
        sample: (place, rows) => of(place.catalog).sample(place, rows),
        mayNameCatalog: (catalog, limit) => own.mayNameCatalog(catalog, limit),
        mayUse: (place, limit) => of(place.catalog).mayUse(place, limit),
      }
    },
    statements: {
      drop: (place) => wordsOf(place.catalog).drop(place),
      dropIfThere: (place) => wordsOf(place.catalog).dropIfThere(place),
      rename: (place, to) => wordsOf(place.catalog).rename(place, to),
      comment: (place, comment, column) => wordsOf(place.catalog).comment(place, comment, column),
      createTable: (place, columns) => wordsOf(place.catalog).createTable(place, columns),
      materialize: (place, query, how) => wordsOf(place.catalog).materialize(place, query, how),
      tidy: (place) => wordsOf(place.catalog).tidy(place),
    },
  }
}

const routedAttachments = (inner: Attachments, { catalog, isLake }: Routing): Attachments => ({
  kinds: inner.kinds,
  whyNot: (kind) => inner.whyNot(kind),
  named: (name) => (isLake(name) ? catalog : inner.named(name)),
  whyClosed: (name) => inner.whyClosed(name),
  check: async (name) => (isLake(name) ? null : inner.check(name)),
  attach: (one) => inner.attach(one),
  remove: (one) => inner.remove(one),
  rename: (name, to) => inner.rename(name, to),
  tryOut: (one) => inner.tryOut(one),
})
