import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { LIMITS } from './limits.ts'
import { MESSAGES } from './rules.ts'

export const TABLE_LIKE = ['table', 'view', 'materialized_view'] as const
export type TableLike = (typeof TABLE_LIKE)[number]

export const ObjectPart = z
  .string()
  .check(z.minLength(1, MESSAGES.enter('name')), z.maxLength(LIMITS.identifierLength))

const wanted = {
  catalog: ObjectPart,
  databaseName: ObjectPart,
  databaseId: z.optional(z.string()),
  /** Of a table. */
  tableName: z.optional(ObjectPart),
  /** Of a view. */
  name: z.optional(ObjectPart),
  /** Of a materialized view. */
  mvName: z.optional(ObjectPart),
}

interface Names {
  readonly tableName?: string | undefined
  readonly name?: string | undefined
  readonly mvName?: string | undefined
}

const ONE_NAME = 'Set one of tableName, name (of a view) or mvName (of a materialized view)'
const hasOneName = ({ tableName, name, mvName }: Names): boolean =>
  [tableName, name, mvName].filter((one) => one !== undefined).length === 1

/** One table, view or materialized view, and whatever else a call asks for. */
export const objectInput = <T extends Record<string, z.ZodMiniType>>(more: T) =>
  z.object({ ...wanted, ...more }).check(z.refine((input) => hasOneName(input as Names), ONE_NAME))

/** Which of the three is meant. */
export function namedObject({ tableName, name, mvName }: Names): { type: TableLike; name: string } {
  if (tableName !== undefined) return { type: 'table', name: tableName }
  if (name !== undefined) return { type: 'view', name }
  return { type: 'materialized_view', name: mvName ?? '' }
}

/** The same as a call is given it. */
export const namesOf = (type: TableLike, name: string): Names =>
  ({ table: { tableName: name }, view: { name }, materialized_view: { mvName: name } })[type]

const WhichObject = objectInput({})

/** A table or view with all of its names. */
export const TablePath = z.object({
  catalog: z.string(),
  database: z.string(),
  name: z.string(),
  type: z.enum(TABLE_LIKE),
})
export type TablePath = z.infer<typeof TablePath>

export const ColumnDetail = z.object({
  name: z.string(),
  type: z.string(),
  nullable: z.boolean(),
  primaryKey: z.boolean(),
  /** As it is written in the definition; null: none. */
  default: z.nullable(z.string()),
  length: z.nullable(z.int()),
  precision: z.nullable(z.int()),
  scale: z.nullable(z.int()),
  comment: z.string(),
})
export type ColumnDetail = z.infer<typeof ColumnDetail>

/** Something that may be done with an object. */
const OBJECT_ACTIONS = ['read', 'refresh', 'alter', 'drop'] as const
export type ObjectAction = (typeof OBJECT_ACTIONS)[number]

/** What a table takes of the disk. */
const TableSize = z.object({ bytes: z.int(), exact: z.boolean() })
type TableSize = z.infer<typeof TableSize>

export const ObjectDetail = z.object({
  name: z.string(),
  type: z.enum(TABLE_LIKE),
  comment: z.string(),
  columnCount: z.int(),
  /** Null where the engine does not count them without reading everything, as of a view. */
  rows: z.nullable(z.object({ count: z.int(), exact: z.boolean() })),
  /** Null if it has nothing on the disk, as a view, or if counting takes too long. */
  size: z.nullable(TableSize),
  /** What the requester can do with it. */
  actions: z.array(z.enum(OBJECT_ACTIONS)),
  /** Why nobody can change it or load data into it here, whatever they hold; empty: they can. */
  fixed: z.string(),
})
export type ObjectDetail = z.infer<typeof ObjectDetail>

export const ObjectRef = z.object({
  database: z.string(),
  name: z.string(),
  type: z.enum(TABLE_LIKE),
})
export type ObjectRef = z.infer<typeof ObjectRef>

/** Somebody who may read it, or a role, and why. */
export const Reader = z.object({
  kind: z.enum(['user', 'role']),
  name: z.string(),
  privileges: z.array(z.string()),
  /** The words of the grant that reaches it; of a built-in role, what it holds by nature. */
  why: z.string(),
})
export type Reader = z.infer<typeof Reader>

/** Calls that look at one table, view or materialized view. */
export const objectCalls = {
  describe: defineCall({
    path: '/schema/describe',
    summary: 'Get a table, view or materialized view and your privileges on it',
    needs: 'login',
    input: WhichObject,
    output: ObjectDetail,
    fails: ['NotFound'],
  }),
  /** A table-like item. */
  columns: defineCall({
    path: '/schema/columns',
    summary: 'List the columns of a table, view or materialized view in order',
    needs: 'login',
    input: objectInput({
      offset: z._default(z.int().check(z.gte(0)), 0),
      limit: z._default(z.int().check(z.gte(1), z.lte(LIMITS.columnsPerTable)), LIMITS.columnsPerTable),
    }),
    output: z.object({
      tableName: z.string(),
      type: z.enum(TABLE_LIKE),
      columns: z.array(ColumnDetail),
      total: z.int(),
    }),
    fails: ['NotFound'],
  }),
  tableSizes: defineCall({
    path: '/schema/table-sizes',
    summary: 'Get the disk sizes of tables and materialized views that can be measured within 2 s',
    needs: 'login',
    input: z.object({
      catalog: ObjectPart,
      databaseName: ObjectPart,
      tableNames: z.array(ObjectPart).check(z.minLength(1), z.maxLength(LIMITS.pageSize)),
    }),
    output: z.object({ list: z.array(z.object({ tableName: z.string(), ...TableSize.shape })) }),
    fails: ['NotFound', 'QueryFailed'],
  }),
  showCreateTable: defineCall({
    path: '/schema/show-create-table',
    summary: 'Get the statement that creates a table, view or materialized view',
    needs: 'login',
    input: WhichObject,
    output: z.object({ createStatement: z.string() }),
    fails: ['NotFound', 'NoPermission'],
  }),
  sample: defineCall({
    path: '/schema/sample',
    summary: 'Get sample rows of a table, view or materialized view',
    needs: 'login',
    input: WhichObject,
    output: z.object({
      columns: z.array(z.object({ name: z.string(), type: z.string(), family: z.string() })),
      rows: z.array(z.array(z.nullable(z.string()))),
      /** There are more. */
      truncated: z.boolean(),
    }),
    fails: ['NotFound', 'NoPermission', 'QueryFailed', 'StatementTimedOut'],
  }),
  dependencies: defineCall({
    path: '/schema/dependencies',
    summary: 'List the objects that a table or view reads, and those that read it',
    needs: 'login',
    input: WhichObject,
    output: z.object({
      uses: z.array(ObjectRef),
      usedBy: z.array(ObjectRef),
      /** How many more there are on either side that the requester cannot see. */
      hidden: z.int(),
      /** Why its sources are unknown, for example of a view whose tables are gone; empty when they are known. */
      broken: z.string(),
    }),
    fails: ['NotFound'],
  }),
  readers: defineCall({
    path: '/schema/readers',
    summary: 'List who can read a table, view or materialized view, and why',
    needs: 'login',
    input: objectInput({
      offset: z._default(z.int().check(z.gte(0)), 0),
      limit: z._default(z.int().check(z.gte(1), z.lte(LIMITS.pageSize)), LIMITS.pageSize),
    }),
    output: z.object({ list: z.array(Reader), total: z.int() }),
    fails: ['NotFound', 'NoPermission'],
  }),
} as const
