import { metrics, METRICS, MetricName } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { MetricSeries } from './service.ts'

const LISTED = MetricName.options.map((name) => {
  const { unit, help, shortest } = METRICS[name]
  return { name, unit, help, shortestStep: shortest }
})

export const metricCalls = (series: MetricSeries) =>
  implement(metrics, {
    list: async () => ({ metrics: LISTED }),
    series: ({ actor }, question) => series.series(actor, question),
  })
