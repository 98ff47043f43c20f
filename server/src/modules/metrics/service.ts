import {
  type Input,
  type metrics as calls,
  METRICS,
  MOST_METRIC_STEPS,
  type Output,
} from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Steps } from '../../store/steps.ts'
import type { StatementSeries } from '../query/history/series.ts'
import type { Storage } from '../storage/service.ts'
import type { Warehouses } from '../warehouse/service.ts'

type Question = Input<typeof calls.series>
type Series = Output<typeof calls.series>
type Point = Series['points'][number]

interface MetricSeriesOptions {
  readonly statements: StatementSeries
  readonly warehouses: Pick<Warehouses, 'find' | 'usageSeries'>
  readonly storage: Pick<Storage, 'over'>
}

const MICROS_PER_MS = 1_000

function stepsOf({ name, from, until, step }: Question): Steps {
  const { shortest } = METRICS[name]
  if (step < shortest)
    throw new AppError('BadInput', `step: The shortest step of ${name} is ${shortest} seconds.`)
  const steps = { from: new Date(from), until: new Date(until), step }
  const count = (steps.until.getTime() - steps.from.getTime()) / 1_000 / step
  if (count <= 0) throw new AppError('BadInput', 'until: Enter a time after `from`.')
  if (count > MOST_METRIC_STEPS)
    throw new AppError(
      'BadInput',
      `until: An answer has at most ${MOST_METRIC_STEPS} steps, and this would be ${Math.ceil(count)}. ` +
        'Choose a shorter time or a longer step.',
    )
  return steps
}

type StatementRow = Awaited<ReturnType<StatementSeries['over']>>['rows'][number]

const ofAll =
  (value: (row: StatementRow) => number | null) =>
  (row: StatementRow): number | null =>
    row.state === '' ? value(row) : null
const inMs = (micros: number | null): number | null => (micros === null ? null : micros / MICROS_PER_MS)

/** Null: the row has no value of this series. */
const STATEMENT_VALUES = {
  statements: ({ state, count }: StatementRow) => (state === '' ? null : count),
  statement_duration_p50: ofAll((row) => inMs(row.p50_us)),
  statement_duration_p95: ofAll((row) => inMs(row.p95_us)),
  rows_returned: ofAll((row) => row.rows),
}
const isOfStatements = (name: string): name is keyof typeof STATEMENT_VALUES => name in STATEMENT_VALUES

const USAGE_COLUMNS = { charged_seconds: 'seconds', ccu: 'ccu', compute_cost: 'usd' } as const

/** The series behind the charts, for programs. */
export function createMetricSeries({ statements, warehouses, storage }: MetricSeriesOptions) {
  async function storedOver(actor: Actor, steps: Steps): Promise<Point[]> {
    if (!actor.activeRoles.includes('account_admin'))
      throw new AppError('NoPermission', 'Only the role account_admin can see how much the account stores.')
    const rows = await storage.over(actor.accountId, steps)
    return rows.map(({ at, bytes }) => ({ at: at.toISOString(), of: '', value: bytes }))
  }

  return {
    async series(actor: Actor, question: Question): Promise<Series> {
      const { name, warehouseId } = question
      const steps = stepsOf(question)
      const { unit } = METRICS[name]
      if (isOfStatements(name)) {
        if (warehouseId !== undefined) await warehouses.find(actor, warehouseId)
        const { rows, searchedTo } = await statements.over(actor, steps, warehouseId)
        const points = rows.flatMap((row): Point[] => {
          const value = STATEMENT_VALUES[name](row)
          return value === null ? [] : [{ at: row.at.toISOString(), of: row.state, value }]
        })
        return { unit, points, searchedTo }
      }
      if (name === 'storage') return { unit, points: await storedOver(actor, steps), searchedTo: null }
      const used = await warehouses.usageSeries(actor, steps, warehouseId)
      const points = used.map((row) => ({
        at: row.at.toISOString(),
        of: row.name,
        value: row[USAGE_COLUMNS[name]],
      }))
      return { unit, points, searchedTo: null }
    },
  }
}

export type MetricSeries = ReturnType<typeof createMetricSeries>
