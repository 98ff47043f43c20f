import type { Asking } from '../engine/asking.ts'
import type { Attachments } from '../engine/attachments.ts'
import type { EffectMemory } from '../engine/capabilities.ts'
import type { CatalogReader, Catalogs, DatabaseStatements } from '../engine/catalogs.ts'
import type { DescriptionReader, Descriptions, TableStatements } from '../engine/descriptions.ts'
import type { Engine } from '../engine/engine.ts'
import type { DatabasePlace } from '../engine/names.ts'
import type { EngineSession, SessionState } from '../engine/session.ts'
import { type BesideScene, BesideSession } from './session.ts'

/** Catalogs that an engine lists beside its own. What is in them, clusters read and write. */
export interface Beside<Own> extends BesideScene<Own> {
  /** Where a session of the engine is while it is in one of them. */
  readonly home: DatabasePlace
  /** Why one that is there cannot be read right now; null when it can. */
  check(catalog: string): string | null
  /** Why its tables and views are not created, changed or dropped here, as a sentence. */
  readonly whyFixed: string
  /** The same of its databases; missing: they are. */
  readonly whyNoDatabases?: string
  lists(asking: Asking): CatalogReader
  descriptions(asking: Asking): DescriptionReader
  readonly databaseStatements: DatabaseStatements
  readonly tableStatements: TableStatements
  /** A statement by which a session enters a place of the engine. */
  leaveBy(sql: string): string
  effects(inner: EffectMemory): EffectMemory
}

/** An engine of the account's own data with these catalogs beside, as far as it has none of their names itself. */
export function withBeside<Own>(inner: Engine, beside: Beside<Own>): Engine {
  const { catalogs, descriptions, attachments, effects } = inner
  if (!catalogs || !descriptions || !attachments) return inner
  const isOwn = (name: string): boolean =>
    attachments.named(name) !== null || attachments.whyClosed(name) !== null
  const named = (name: string): string | null => (isOwn(name) ? null : beside.named(name))
  const routing = { ...beside, named }
  return {
    ...parts(inner),
    catalogs: routedCatalogs(catalogs, routing),
    descriptions: routedDescriptions(descriptions, routing),
    attachments: routedAttachments(attachments, routing),
    effects: effects && beside.effects(effects),
    async openSession(state: SessionState): Promise<EngineSession> {
      const place = named(state.catalog) === null ? state : { ...state, ...beside.home }
      return new BesideSession(await inner.openSession(place), routing, state)
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

function routedCatalogs<Own>(inner: Catalogs, beside: Beside<Own>): Catalogs {
  const { statements } = inner
  const isBeside = (catalog: string): boolean => beside.named(catalog) !== null
  const wordsOf = (catalog: string) => (isBeside(catalog) ? beside.databaseStatements : statements)
  return {
    ...inner,
    whyFixed: (catalog) => (isBeside(catalog) ? beside.whyFixed : (inner.whyFixed?.(catalog) ?? null)),
    whyNoDatabases: (catalog) =>
      isBeside(catalog) ? (beside.whyNoDatabases ?? null) : (inner.whyNoDatabases?.(catalog) ?? null),
    in(asking): CatalogReader {
      const [own, its] = [inner.in(asking), beside.lists(asking)]
      const of = (catalog: string): CatalogReader => (isBeside(catalog) ? its : own)
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
      createDatabase: (place, options) => wordsOf(place.catalog).createDatabase(place, options),
      dropDatabase: (place, options) => wordsOf(place.catalog).dropDatabase(place, options),
      enter: (place) =>
        isBeside(place.catalog)
          ? beside.databaseStatements.enter(place)
          : beside.leaveBy(statements.enter(place)),
    },
  }
}

function routedDescriptions<Own>(inner: Descriptions, beside: Beside<Own>): Descriptions {
  const { statements } = inner
  const isBeside = (catalog: string): boolean => beside.named(catalog) !== null
  const wordsOf = (catalog: string) => (isBeside(catalog) ? beside.tableStatements : statements)
  return {
    in(asking): DescriptionReader {
      const [own, its] = [inner.in(asking), beside.descriptions(asking)]
      const of = (catalog: string): DescriptionReader => (isBeside(catalog) ? its : own)
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

const routedAttachments = <Own>(inner: Attachments, beside: Beside<Own>): Attachments => ({
  kinds: inner.kinds,
  whyNot: (kind) => inner.whyNot(kind),
  named: (name) => beside.named(name) ?? inner.named(name),
  whyClosed: (name) => inner.whyClosed(name),
  async check(name) {
    const catalog = beside.named(name)
    return catalog === null ? inner.check(name) : beside.check(catalog)
  },
  attach: (one) => inner.attach(one),
  remove: (one) => inner.remove(one),
  rename: (name, to) => inner.rename(name, to),
  tryOut: (one) => inner.tryOut(one),
})
