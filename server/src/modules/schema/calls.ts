import { schema } from '@boathouse/contract'
import type { Caller } from '../../kernel/actor.ts'
import { implement } from '../../kernel/implement.ts'
import type { Queries } from '../query/service.ts'
import type { Who } from './changes/apply-change.ts'
import type { CatalogChanges } from './changes/changes.ts'
import type { ExternalCatalogs } from './catalogs/external-catalogs.ts'
import type { AllCatalogs } from './catalogs/all-catalogs.ts'
import type { NameSearch } from './names/name-search.ts'
import type { MaterializedViews } from './objects/materialized-views.ts'
import type { Objects } from './objects/objects.ts'
import type { PlaceActionsService } from './changes/place-actions.ts'
import type { Schemas } from './service.ts'
import type { TableSizes } from './objects/table-sizes.ts'

export interface SchemaCallParts {
  readonly schemas: Schemas
  readonly objects: Objects
  readonly changes: CatalogChanges
  readonly places: PlaceActionsService
  readonly search: NameSearch
  readonly sizes: TableSizes
  readonly external: ExternalCatalogs
  readonly all: AllCatalogs
  readonly materialized: Pick<MaterializedViews, 'detail' | 'runsOf' | 'refresh' | 'pause'>
  readonly queries: Pick<Queries, 'warehouseOf' | 'setWarehouse'>
}

const done = async (work: Promise<unknown>): Promise<Record<string, never>> => {
  await work
  return {}
}

const who = ({ actor, clientIp }: Caller & Who): Who => ({ actor, clientIp })

const viewPlace = ({
  catalog,
  databaseName: database,
  mvName: name,
}: {
  catalog: string
  databaseName: string
  mvName: string
}) => ({ catalog, database, name })

export const schemaCalls = (parts: SchemaCallParts) => {
  const { schemas, objects, changes, places, search, sizes, external, all, materialized, queries } = parts
  return implement(schema, {
    catalogs: ({ actor }, { commonSearchParam }) => schemas.catalogs(actor, commonSearchParam),
    databases: async ({ actor }, { catalog, commonSearchParam }) => {
      await external.requireReadable(actor, catalog)
      const { list, total } = await schemas.databases(actor, catalog, commonSearchParam)
      // A name is unique in its catalog and is never changed.
      return { list: list.map((one) => ({ ...one, databaseId: one.name })), total }
    },
    tables: async ({ actor }, { catalog, databaseName: database, commonSearchParam, namesOnly }) => {
      await external.requireReadable(actor, catalog)
      const { names, total } = await schemas.tables(actor, { catalog, database }, commonSearchParam)
      if (namesOnly) return { list: [], names, total }
      return { list: names.map((tableName) => ({ tableName, type: 'table' as const })), total }
    },
    views: async ({ actor }, { catalog, databaseName: database, commonSearchParam, namesOnly }) => {
      await external.requireReadable(actor, catalog)
      const { names, total } = await schemas.views(actor, { catalog, database }, commonSearchParam)
      if (namesOnly) return { list: [], names, total }
      return { list: names.map((name) => ({ name, type: 'view' as const })), total }
    },
    functions: async ({ actor }, { catalog, databaseName: database, commonSearchParam }) => {
      await external.requireReadable(actor, catalog)
      const { names, total } = await schemas.functions(actor, { catalog, database }, commonSearchParam)
      return { list: names.map((name) => ({ name, type: 'function' as const })), total }
    },
    search: ({ actor }, asked) => search(actor, asked),
    actions: ({ actor }, { catalog, databaseName, object }) =>
      places.actions(actor, { catalog, database: databaseName ?? null, object: object ?? null }),
    restoreSamples: (from) => done(places.restoreSamples(who(from))),
    materializedViews: async ({ actor }, { catalog, databaseName: database, commonSearchParam }) => {
      await external.requireReadable(actor, catalog)
      return schemas.materializedViews(actor, { catalog, database }, commonSearchParam)
    },
    materializedView: ({ actor }, wanted) => materialized.detail(actor, viewPlace(wanted)),
    refreshTasks: ({ actor }, { offset, limit, ...wanted }) =>
      materialized.runsOf(actor, viewPlace(wanted), { offset, limit }),
    refreshMaterializedView: async ({ actor }, wanted) => {
      const { runId } = await materialized.refresh(actor, viewPlace(wanted))
      return { runId }
    },
    pauseMaterializedView: (from, { paused, ...wanted }) =>
      done(materialized.pause(who(from), viewPlace(wanted), paused)),
    dropMaterializedView: (from, { evenIfUsed, ...wanted }) =>
      done(changes.drop(who(from), wanted, evenIfUsed)),

    describe: ({ actor }, wanted) => objects.describe(actor, wanted),
    columns: ({ actor }, { offset, limit, ...wanted }) => objects.columns(actor, wanted, { offset, limit }),
    tableSizes: ({ actor }, asked) => sizes(actor, asked),
    showCreateTable: async ({ actor }, wanted) => ({
      createStatement: await objects.createStatement(actor, wanted),
    }),
    sample: ({ actor }, wanted) => objects.sample(actor, wanted),
    dependencies: ({ actor }, wanted) => objects.dependencies(actor, wanted),
    readers: ({ actor }, { offset, limit, ...wanted }) => objects.readers(actor, wanted, { offset, limit }),

    createDatabase: (from, { catalog, databaseName: database }) =>
      done(changes.createDatabase(who(from), { catalog, database })),
    dropDatabase: (from, { catalog, databaseName: database, cascade }) =>
      done(changes.dropDatabase(who(from), { catalog, database }, cascade)),
    createTable: (from, table) => done(changes.createTable(who(from), table)),
    dropTable: (from, { evenIfUsed, ...wanted }) => done(changes.drop(who(from), wanted, evenIfUsed)),
    dropView: (from, { evenIfUsed, ...wanted }) => done(changes.drop(who(from), wanted, evenIfUsed)),
    rename: (from, { newName, evenIfUsed, ...wanted }) =>
      done(changes.rename(who(from), wanted, { newName, evenIfUsed })),
    comment: (from, { comment, column, ...wanted }) =>
      done(changes.comment(who(from), wanted, { comment, column })),

    addCatalog: (from, draft) => all.add(who(from), draft),
    testCatalog: ({ actor }, draft) => external.test(actor, draft),
    catalogOptions: async ({ actor }) => external.options(actor),
    createCatalog: (from, draft) => done(all.create(who(from), draft)),
    renameCatalog: (from, { catalog, ...to }) => done(all.rename(who(from), catalog, to)),
    dropCatalog: (from, { catalog, cascade }) => done(all.drop(who(from), catalog, cascade)),
    showCreateCatalog: async ({ actor }, { catalog }) => ({
      createStatement: await all.createStatement(actor, catalog),
    }),

    showWarehouse: async ({ actor }, { connId }) => ({ warehouse: await queries.warehouseOf(actor, connId) }),
    updateWarehouse: async ({ actor }, { connId, warehouse }) => ({
      warehouse: await queries.setWarehouse(actor, connId, warehouse),
    }),
  })
}
