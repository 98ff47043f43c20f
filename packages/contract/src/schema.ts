import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { CATALOG_TYPES } from './catalog-types.ts'
import { catalogCalls, METASTORES } from './external-catalogs.ts'
import { LIMITS } from './limits.ts'
import { MaterializedView, materializedViewCalls } from './materialized-views.ts'
import { objectChangeCalls } from './schema-changes.ts'
import { objectCalls } from './schema-objects.ts'
import { placeCalls } from './schema-places.ts'
import { searchCalls } from './schema-search.ts'

/**
 * Where a session stands that never went anywhere: the catalog of the account's own data, and a database in it. Both are
 * names of the product, the same on every engine.
 */
export const DEFAULT_CATALOG = 'default_catalog'
export const DEFAULT_DATABASE = 'main'

/** By name, unless it says otherwise. */
const CommonSearch = z.prefault(
  z.object({
    orders: z._default(
      z.array(z.object({ col: z.literal('name'), desc: z.boolean() })).check(z.maxLength(1)),
      [{ col: 'name', desc: false }],
    ),
    offset: z._default(z.int().check(z.gte(0)), 0),
    limit: z._default(z.int().check(z.gte(1), z.lte(LIMITS.listedObjects)), LIMITS.listedObjects),
    /** A part of the name, whatever its letter case. */
    search: z._default(z.string().check(z.maxLength(LIMITS.identifierLength)), ''),
  }),
  {},
)
export type CommonSearch = z.infer<typeof CommonSearch>

const Name = z.string().check(z.minLength(1), z.maxLength(LIMITS.identifierLength))

const InCatalog = z.object({ commonSearchParam: CommonSearch, catalog: Name })
/** A database is found by its name; the id names the same one, and can be omitted. */
const InDatabase = z.extend(InCatalog, { databaseName: Name, databaseId: z.optional(z.string()) })

/** A page of a list, and how many there are. */
const listOf = <T extends z.ZodMiniType>(item: T) => z.object({ list: z.array(item), total: z.int() })

export const Catalog = z.object({
  name: z.string(),
  type: z.enum(CATALOG_TYPES),
  description: z.optional(z.string()),
  /** Of an external one. */
  metastoreType: z.optional(z.enum(METASTORES)),
})
export type Catalog = z.infer<typeof Catalog>

/** Without its tables, which are loaded separately. */
export const Database = z.object({
  name: z.string(),
  databaseId: z.string(),
  /** How many tables and views there are; missing for users who cannot see all of them. */
  tables: z.optional(z.int()),
  /** Every catalog has it, and it cannot be dropped. */
  permanent: z.optional(z.literal(true)),
})
export type Database = z.infer<typeof Database>

/** Without its columns. */
const Table = z.object({ tableName: z.string(), type: z.literal('table') })
type Table = z.infer<typeof Table>

const View = z.object({ name: z.string(), type: z.literal('view') })
type View = z.infer<typeof View>

const AFunction = z.object({ name: z.string(), type: z.literal('function') })

/** Of a list that may be long: nothing but names, in `names`, and an empty `list`. */
const MayBeNames = z.extend(InDatabase, { namesOnly: z._default(z.boolean(), false) })

const namesOr = <T extends z.ZodMiniType>(item: T) =>
  z.extend(listOf(item), { names: z.optional(z.array(z.string())) })

export const schema = {
  catalogs: defineCall({
    path: '/schema/catalogs',
    summary: 'List the catalogs of the account',
    needs: 'login',
    input: z.object({ commonSearchParam: CommonSearch }),
    output: listOf(Catalog),
  }),
  databases: defineCall({
    path: '/schema/databases',
    summary: 'List the databases of a catalog',
    needs: 'login',
    input: InCatalog,
    output: listOf(Database),
    fails: ['NotFound', 'QueryFailed'],
  }),
  tables: defineCall({
    path: '/schema/tables',
    summary: 'List the tables of a database',
    needs: 'login',
    input: MayBeNames,
    output: namesOr(Table),
    fails: ['NotFound', 'QueryFailed'],
  }),
  views: defineCall({
    path: '/schema/views',
    summary: 'List the views of a database',
    needs: 'login',
    input: MayBeNames,
    output: namesOr(View),
    fails: ['NotFound', 'QueryFailed'],
  }),
  functions: defineCall({
    path: '/schema/functions',
    summary: 'List the user-defined functions of a database',
    needs: 'login',
    input: InDatabase,
    output: listOf(AFunction),
    fails: ['NotFound', 'QueryFailed'],
  }),
  materializedViews: defineCall({
    path: '/schema/materialized-views',
    summary: 'List the materialized views of a database',
    needs: 'login',
    input: InDatabase,
    output: listOf(MaterializedView),
    fails: ['NotFound', 'QueryFailed'],
  }),
  ...materializedViewCalls,
  ...objectCalls,
  ...searchCalls,
  ...placeCalls,
  ...objectChangeCalls,
  ...catalogCalls,
} as const
