import { z } from 'zod/mini'
import { LIMITS } from './limits.ts'

export const PIVOT_AGGREGATES = ['sum', 'average', 'least', 'most', 'count', 'distinct'] as const
export type PivotAggregate = (typeof PIVOT_AGGREGATES)[number]

const ColumnName = z.string().check(z.maxLength(LIMITS.chartColumnLength))

/** How the rows of a query are pivoted: columns by their names, so that another run is pivoted in the same way. */
export const PivotSettings = z.object({
  rows: z.array(ColumnName).check(z.maxLength(LIMITS.pivotRows)),
  columns: z.array(ColumnName).check(z.maxLength(LIMITS.pivotColumns)),
  /** Of no column: the number of rows. */
  values: z
    .array(z.object({ column: ColumnName, aggregate: z.enum(PIVOT_AGGREGATES) }))
    .check(z.maxLength(LIMITS.pivotValues)),
  /** By the total of a value, by its place among them; null: by names. */
  sort: z.object({ value: z.nullable(z.int().check(z.gte(0))), descending: z.boolean() }),
})
export type PivotSettings = z.infer<typeof PivotSettings>
