import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { LIMITS } from './limits.ts'
import { DatabaseName } from './object-names.ts'
import { MESSAGES } from './rules.ts'
import { objectInput, ObjectPart } from './schema-objects.ts'

const Done = z.object({})

const InCatalog = { catalog: ObjectPart }
const InDatabase = { ...InCatalog, databaseName: ObjectPart, databaseId: z.optional(z.string()) }

/** Objects that read it stop working: the caller has seen which. */
const evenIfUsed = z._default(z.boolean(), false)

const Comment = z
  .string()
  .check(z.maxLength(LIMITS.commentLength, MESSAGES.maximumLength(LIMITS.commentLength)))

/** Of a form: a word or a few, with lengths in brackets, and of lists. The engine decides whether there is such a type. */
const ColumnType = z
  .string()
  .check(
    z.minLength(1, MESSAGES.enter('type')),
    z.maxLength(64, MESSAGES.maximumLength(64)),
    z.regex(
      /^[A-Za-z][A-Za-z0-9_ ]*(\(\s*\d+\s*(,\s*\d+\s*)?\))?(\[\d*\])*$/,
      'Enter a type, for example BIGINT, VARCHAR or DECIMAL(18,2)',
    ),
  )

const TableName = ObjectPart
export const NewColumn = z.object({
  name: ObjectPart,
  type: ColumnType,
  nullable: z._default(z.boolean(), true),
  primaryKey: z._default(z.boolean(), false),
  /** A value, as text; empty: none. */
  default: z._default(z.string().check(z.maxLength(LIMITS.commentLength)), ''),
  comment: z._default(Comment, ''),
})
export type NewColumn = z.infer<typeof NewColumn>

export const NewTable = z.object({
  ...InDatabase,
  tableName: TableName,
  comment: z._default(Comment, ''),
  columns: z
    .array(NewColumn)
    .check(z.minLength(1, 'Add at least one column'), z.maxLength(LIMITS.columnsOfForm)),
})
export type NewTable = z.infer<typeof NewTable>

/** A query connection of one's own, as the channel names it. */
const ConnectionId = z.int().check(z.gte(1))

const CHANGED = ['NotFound', 'NoPermission', 'QueryFailed', 'Conflict'] as const

/** Calls that make, change and drop. */
export const objectChangeCalls = {
  createDatabase: defineCall({
    path: '/schema/create-database',
    summary: 'Create a database',
    needs: 'login',
    input: z.object({ ...InCatalog, databaseName: DatabaseName }),
    output: Done,
    fails: ['NotFound', 'NoPermission', 'NameTaken', 'QueryFailed'],
  }),
  dropDatabase: defineCall({
    path: '/schema/drop-database',
    summary: 'Drop a database; one that is not empty only with cascade',
    needs: 'login',
    input: z.object({ ...InDatabase, cascade: z._default(z.boolean(), false) }),
    output: Done,
    fails: CHANGED,
  }),
  createTable: defineCall({
    takesLarge: true,
    path: '/schema/create-table',
    summary: 'Create a table with the given columns',
    needs: 'login',
    input: NewTable,
    output: Done,
    fails: ['NotFound', 'NoPermission', 'NameTaken', 'QueryFailed'],
  }),
  dropTable: defineCall({
    path: '/schema/drop-table',
    summary: 'Drop a table',
    needs: 'login',
    input: z.object({ ...InDatabase, tableName: ObjectPart, evenIfUsed }),
    output: Done,
    fails: CHANGED,
  }),
  dropView: defineCall({
    path: '/schema/drop-view',
    summary: 'Drop a view',
    needs: 'login',
    input: z.object({ ...InDatabase, name: ObjectPart, evenIfUsed }),
    output: Done,
    fails: CHANGED,
  }),
  rename: defineCall({
    path: '/schema/rename',
    summary: 'Rename a table, view or materialized view',
    needs: 'login',
    input: objectInput({ newName: ObjectPart, evenIfUsed }),
    output: Done,
    fails: [...CHANGED, 'NameTaken'],
  }),
  comment: defineCall({
    path: '/schema/comment',
    summary: 'Set the comment of a table, a view or a column',
    needs: 'login',
    input: objectInput({ comment: Comment, column: z.optional(ObjectPart) }),
    output: Done,
    fails: CHANGED,
  }),
  showWarehouse: defineCall({
    path: '/schema/show-warehouse',
    summary: 'Get the warehouse of one of your connections',
    needs: 'login',
    input: z.object({ connId: ConnectionId }),
    output: z.object({ warehouse: z.string() }),
    fails: ['ConnectionLost'],
    silent: true,
  }),
  /** As SET WAREHOUSE. */
  updateWarehouse: defineCall({
    path: '/schema/update-warehouse',
    summary: 'Set the warehouse of one of your connections',
    needs: 'login',
    input: z.object({ connId: ConnectionId, warehouse: ObjectPart }),
    output: z.object({ warehouse: z.string() }),
    fails: ['ConnectionLost', 'NotFound'],
  }),
} as const
