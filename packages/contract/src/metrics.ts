import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { Moment } from './moment.ts'

/** What a series counts, and in which unit. Those of hours have no shorter step. */
export const METRICS = {
  statements: { unit: 'statements', shortest: 60, help: 'Statements that ended, by their state' },
  statement_duration_p50: {
    unit: 'ms',
    shortest: 60,
    help: 'Duration that half of the statements stayed under',
  },
  statement_duration_p95: {
    unit: 'ms',
    shortest: 60,
    help: 'Duration that 95 % of the statements stayed under',
  },
  rows_returned: { unit: 'rows', shortest: 60, help: 'Rows that statements returned or changed' },
  charged_seconds: { unit: 's', shortest: 3_600, help: 'Charged time of warehouses, by warehouse' },
  ccu: { unit: 'CCU', shortest: 3_600, help: 'CCU that warehouses used, by warehouse' },
  compute_cost: { unit: 'USD', shortest: 3_600, help: 'Cost of warehouses, by warehouse' },
  storage: { unit: 'bytes', shortest: 3_600, help: 'Managed data of the account' },
} as const

export const MetricName = z.enum(Object.keys(METRICS) as [keyof typeof METRICS, ...(keyof typeof METRICS)[]])
export type MetricName = z.infer<typeof MetricName>

const METRIC_STEPS = [60, 300, 3_600, 86_400] as const
/** Of one series: a chart is no wider, and a program asks for the next span. */
export const MOST_METRIC_STEPS = 1_500

export const metrics = {
  list: defineCall({
    path: '/metrics/list',
    summary: 'List the series that you can get',
    needs: 'login',
    input: z.object({}),
    output: z.object({
      metrics: z.array(
        z.object({ name: MetricName, unit: z.string(), help: z.string(), shortestStep: z.int() }),
      ),
    }),
  }),
  /** Those of statements are of your own, or of all with the role account_admin; those of warehouses of all that you may see. */
  series: defineCall({
    path: '/metrics/series',
    summary: 'Get a series of values over time',
    needs: 'login',
    silent: true,
    input: z.object({
      name: MetricName,
      from: Moment,
      until: Moment,
      /** Seconds of UTC time between two values. */
      step: z.literal(METRIC_STEPS),
      warehouseId: z.optional(z.uuid()),
    }),
    output: z.object({
      unit: z.string(),
      /** Steps without a value are left out. */
      points: z.array(
        z.object({
          at: z.string(),
          /** A state or the name of a warehouse; empty where there is one value of each step. */
          of: z.string(),
          value: z.number(),
        }),
      ),
      /** Back to when statements were looked at, when there are more than one answer takes; null: all were. */
      searchedTo: z.nullable(z.string()),
    }),
    fails: ['NotFound'],
  }),
}
