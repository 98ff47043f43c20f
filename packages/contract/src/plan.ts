import { z } from 'zod/mini'

/** What an operator of a plan does, whichever engine it is of. */
const OPERATOR_KINDS = [
  'scan',
  'values',
  'kept',
  'filter',
  'project',
  'join',
  'compare',
  'aggregate',
  'window',
  'order',
  'top',
  'limit',
  'union',
  'common',
  'unnest',
  'exchange',
  'output',
  'write',
] as const
export type OperatorKind = (typeof OPERATOR_KINDS)[number]

/** An operator of a plan, with what was measured of it; times in milliseconds. Null: not known. */
export interface ProfileNode {
  /** As its engine calls it. */
  operator: string
  /** Missing where the engine has no word of ours for it, and of plans from before there were kinds. */
  kind?: OperatorKind | undefined
  detail: string
  /** Its own, without what it reads from. */
  timeMs: number | null
  rows: number | null
  /** The rows are what the engine expected, not what it saw. */
  isEstimate?: boolean | undefined
  /** Of one that reads a table: rows read, before its filter. */
  readRows?: number | undefined
  /** Its filter is computed for every row, so that nothing of a table can be skipped. */
  filtersEachRow?: boolean | undefined
  /** Steps of the engine that only store values another way; their time is in this one's. */
  folded?: number | undefined
  children: ProfileNode[]
}
export const ProfileNode: z.ZodMiniType<ProfileNode> = z.object({
  operator: z.string(),
  kind: z.optional(z.enum(OPERATOR_KINDS)),
  detail: z.string(),
  timeMs: z.nullable(z.number()),
  rows: z.nullable(z.number()),
  isEstimate: z.optional(z.boolean()),
  readRows: z.optional(z.number()),
  filtersEachRow: z.optional(z.boolean()),
  folded: z.optional(z.int()),
  children: z.array(z.lazy(() => ProfileNode)),
})

/**
 * A join that gives more rows than it reads; one that compares every row with every other; a filter for which a table is
 * read whole; what did not fit into memory.
 */
const PLAN_ADVICE = ['joinMultiplies', 'comparesAll', 'filtersEachRow', 'spills'] as const

/** Where a plan can be better, with the figures that say so. */
export const PlanAdvice = z.object({
  advice: z.enum(PLAN_ADVICE),
  /** Which one of the plan, from 0, each before what it reads from; null: it is about all of it. */
  operator: z.nullable(z.int()),
  /** Rows of the larger input, pairs to compare, or rows read. */
  rowsIn: z.nullable(z.number()),
  rowsOut: z.nullable(z.number()),
  /** Written to disk for want of memory. */
  bytes: z.nullable(z.number()),
  /** Of the time of all operators, from 0 to 1; null where nothing was measured. */
  timeShare: z.nullable(z.number()),
})
export type PlanAdvice = z.infer<typeof PlanAdvice>
