import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { LIMITS } from './limits.ts'
import { PIVOT_AGGREGATES } from './pivot.ts'
import { Field, Row } from './realtime.ts'
import { ColumnPlace, KeptFilters, QueryId } from './result-rows.ts'

const Value = z.nullable(z.string())

const ColumnStatistics = z.object({
  /** Rows that pass the filters. */
  rows: z.int(),
  nulls: z.int(),
  /** Without NULL. */
  distinct: z.int(),
  min: Value,
  max: Value,
  /** Of numbers, without those that are infinite or not a number. */
  sum: Value,
  average: Value,
  median: Value,
  /** The first first; a value that is cut is its beginning. */
  frequent: z.array(z.object({ value: z.string(), isCut: z.boolean(), count: z.int() })),
  /** Of numbers and times: parts of the same width, with the least and the largest value in each. */
  bins: z.array(z.object({ count: z.int(), from: Value, to: Value })),
  /** Of those that are kept, before the filters. */
  totalRows: z.int(),
  /** False: the statement had more rows than are kept. */
  complete: z.boolean(),
})

const PivotFigures = {
  /** One for each value of each head, in their order; null where there are no rows. */
  cells: z.array(Value),
  /** One for each value, over all heads. */
  totals: z.array(Value),
}

const PivotTable = z.object({
  /** The values of `columns` above each group of values. */
  heads: z.array(Row),
  allHeads: z.int(),
  rows: z.array(z.object({ names: Row, ...PivotFigures })),
  allRows: z.int(),
  /** Of all rows and heads, also those that are not shown. */
  totals: z.object(PivotFigures),
  /** As in the statistics of a column. */
  totalRows: z.int(),
  complete: z.boolean(),
})
export type PivotTable = z.infer<typeof PivotTable>

const ComparedRows = z.object({ count: z.int(), rows: z.array(Row) })

const ResultComparison = z.object({
  /** Those that both results have, by their names. */
  columns: z.array(Field),
  onlyHere: z.array(z.string()),
  onlyEarlier: z.array(z.string()),
  /** Values of the key that several rows have: then nothing is compared. */
  repeatedKeys: z.int(),
  same: z.int(),
  /** Of each kind all are counted, and the first are sent, with the beginnings of long values. */
  added: ComparedRows,
  removed: ComparedRows,
  /** Only with a key. `differs` are places of columns. */
  changed: z.object({
    count: z.int(),
    rows: z.array(z.object({ before: Row, now: Row, differs: z.array(z.int()) })),
  }),
  /** False: a statement had more rows than are kept, so that rows may be missing from either. */
  complete: z.boolean(),
})
export type ResultComparison = z.infer<typeof ResultComparison>

/** What is computed over all rows of kept results. It ends when nobody waits for it. */
export const resultWork = {
  columnStatistics: defineCall({
    path: '/result/column-statistics',
    summary: 'Get the distribution and the figures of a column over all rows of a kept result',
    needs: 'login',
    silent: true,
    stopsWithCaller: true,
    input: z.extend(QueryId, { column: ColumnPlace, filters: KeptFilters }),
    output: ColumnStatistics,
    fails: ['NotFound', 'ResultExpired', 'QuotaExceeded', 'Cancelled'],
  }),
  pivot: defineCall({
    path: '/result/pivot',
    summary: 'Get a pivot table of all rows of a kept result',
    needs: 'login',
    silent: true,
    stopsWithCaller: true,
    input: z.extend(QueryId, {
      rows: z.array(ColumnPlace).check(z.maxLength(LIMITS.pivotRows)),
      columns: z.array(ColumnPlace).check(z.maxLength(LIMITS.pivotColumns)),
      /** Of no column: the number of rows, with `count`. */
      values: z
        .array(z.object({ column: z.nullable(ColumnPlace), aggregate: z.enum(PIVOT_AGGREGATES) }))
        .check(z.minLength(1), z.maxLength(LIMITS.pivotValues)),
      filters: z._default(KeptFilters, []),
      /** By the total of a value, by its place among them; null: by names. */
      sort: z._default(z.object({ value: z.nullable(z.int().check(z.gte(0))), descending: z.boolean() }), {
        value: null,
        descending: false,
      }),
    }),
    output: PivotTable,
    fails: ['BadInput', 'NotFound', 'ResultExpired', 'QuotaExceeded', 'Cancelled'],
  }),
  compare: defineCall({
    path: '/result/compare',
    summary: 'Compare a kept result with that of another run: rows that were added, removed or changed',
    needs: 'login',
    silent: true,
    stopsWithCaller: true,
    input: z.extend(QueryId, {
      /** The run before. */
      earlierId: z.uuid(),
      /** Columns that say which row is which; none: rows as a whole. */
      keys: z.array(ColumnPlace).check(z.maxLength(LIMITS.comparedKeys)),
    }),
    output: ResultComparison,
    fails: ['BadInput', 'NotFound', 'ResultExpired', 'QuotaExceeded', 'Cancelled'],
  }),
}
