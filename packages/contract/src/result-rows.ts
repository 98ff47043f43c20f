import { z } from 'zod/mini'
import { LIMITS } from './limits.ts'

export const QueryId = z.object({ queryId: z.uuid() })
/** From 0, in the original order. */
export const ColumnPlace = z.int().check(z.gte(0))

export const Sort = z.object({ column: ColumnPlace, descending: z.boolean() })

/** In the words of `cell-filter.ts`; of the filters, a row passes all. */
export const KeptFilters = z
  .array(
    z.object({
      column: ColumnPlace,
      written: z
        .string()
        .check(z.maxLength(LIMITS.filterLength), z.regex(/^[^\0]*$/, 'Remove the character U+0000')),
    }),
  )
  .check(z.maxLength(LIMITS.filtersPerResult))
