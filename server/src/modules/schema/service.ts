import type { AccessObject, CommonSearch } from '@boathouse/contract'
import type { DatabasePlace } from '../../engines/engine/names.ts'
import type { Actor } from '../../kernel/actor.ts'
import { listCatalogs, listDatabases } from './lists/databases.ts'
import { createListing, type SchemaParts } from './lists/listing.ts'
import { listFunctions, listMaterializedViews, listTables } from './lists/tables.ts'
import { trueNames } from './lists/true-names.ts'

/** What is in the account, as SHOW CATALOGS, SHOW DATABASES and SHOW TABLES list it, page by page. */
export function createSchemas(parts: SchemaParts) {
  const listing = createListing(parts)
  return {
    catalogs: (actor: Actor, search: CommonSearch) => listCatalogs(listing, actor, search),
    databases: (actor: Actor, catalog: string, search: CommonSearch) =>
      listDatabases(listing, actor, { catalog, search }),
    tables: (actor: Actor, place: DatabasePlace, search: CommonSearch) =>
      listTables(listing, actor, { place, search, type: 'table' }),
    views: (actor: Actor, place: DatabasePlace, search: CommonSearch) =>
      listTables(listing, actor, { place, search, type: 'view' }),
    functions: (actor: Actor, place: DatabasePlace, search: CommonSearch) =>
      listFunctions(listing, actor, { place, search }),
    materializedViews: (actor: Actor, place: DatabasePlace, search: CommonSearch) =>
      listMaterializedViews(listing, actor, { place, search }),
    trueNames: (actor: Actor, object: AccessObject) => trueNames(listing, actor, object),
  }
}

export type Schemas = ReturnType<typeof createSchemas>
