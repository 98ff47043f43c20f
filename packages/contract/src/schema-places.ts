import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { ObjectPart, TABLE_LIKE } from './schema-objects.ts'

/** The database that a new account finds. */
export const SAMPLE_DATABASE = 'sample'

/** What can be done in a catalog, with a database or with its objects. Empty: the requester can do it; else why not. */
export const PlaceActions = z.partial(
  z.object({
    createDatabase: z.string(),
    createTable: z.string(),
    createView: z.string(),
    createMaterializedView: z.string(),
    loadData: z.string(),
    dropDatabase: z.string(),
    dropObject: z.string(),
    /** Recreates the sample data. */
    restoreSamples: z.string(),
  }),
)
export type PlaceActions = z.infer<typeof PlaceActions>
export type PlaceAction = keyof PlaceActions

/** Calls about a catalog or a database as a place in which something is made. */
export const placeCalls = {
  actions: defineCall({
    path: '/schema/actions',
    summary: 'List your allowed actions on a catalog, database or object, and why others are not allowed',
    needs: 'login',
    input: z.object({
      catalog: ObjectPart,
      databaseName: z.optional(ObjectPart),
      /** In the database. */
      object: z.optional(z.object({ type: z.enum(TABLE_LIKE), name: ObjectPart })),
    }),
    output: PlaceActions,
    fails: ['NotFound'],
  }),
  restoreSamples: defineCall({
    path: '/schema/restore-samples',
    summary: 'Restore the sample data; creates its database if it is missing',
    needs: 'login',
    input: z.object({}),
    output: z.object({}),
    fails: ['NotFound', 'NoPermission', 'Conflict', 'QueryFailed'],
    timeoutMs: 5 * 60_000,
  }),
} as const
