import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { CATALOG_TYPES } from './catalog-types.ts'
import { LIMITS } from './limits.ts'
import { TABLE_LIKE } from './schema-objects.ts'

const FOUND_TYPES = ['catalog', 'database', ...TABLE_LIKE, 'column'] as const

/** Something that has the text in its name, and where it is. */
export const Found = z.object({
  type: z.enum(FOUND_TYPES),
  name: z.string(),
  catalog: z.string(),
  catalogType: z.enum(CATALOG_TYPES),
  /** Of all but catalogs. */
  database: z.optional(z.string()),
  /** Of a column: what it is a column of. */
  object: z.optional(z.object({ type: z.enum(TABLE_LIKE), name: z.string() })),
})
export type Found = z.infer<typeof Found>

export const searchCalls = {
  search: defineCall({
    path: '/schema/search',
    summary: 'Search catalogs, databases, tables, views and columns by name',
    needs: 'login',
    input: z.object({
      /** Words: the last is a part of the name, those before it are parts of the name or of where it is. */
      search: z.string().check(z.trim(), z.minLength(1), z.maxLength(LIMITS.identifierLength)),
      limit: z._default(z.int().check(z.gte(1), z.lte(LIMITS.foundNames)), LIMITS.foundNames),
    }),
    output: z.object({
      /** Names that are the word, then those that begin with it, then the others. */
      list: z.array(Found),
      /** There are more than these. */
      more: z.boolean(),
    }),
  }),
} as const
