import { query } from '@boathouse/contract/query'
import { useCall } from '../../../lib/api.ts'
import { LazyPlan } from '../../../statement/lazy-plan.tsx'
import { Refusal, Skeleton } from '../../../ui/index.ts'
import type { ResultRows } from '../rows/use-result-rows.ts'
import type { StatementResult } from '../running/run.ts'
import { mergePlan } from './statement-view.ts'
import styles from './results.module.css'

/** A plan is one thing, however many rows it came in; a long one is read where it is kept. */
export function ExplainedPlan({ statement, rows }: { statement: StatementResult; rows: ResultRows }) {
  const last = { row: rows.firstRows.length - 1, column: (rows.fields?.length ?? 1) - 1 }
  const isCut = rows.grid.lengthAt(last.row, last.column) !== undefined && statement.isKept
  const options = { silent: true, enabled: isCut, staleTime: Infinity }
  const whole = useCall(query.resultCell, { queryId: statement.queryId, ...last }, options)
  const plan = isCut ? whole.data?.text : mergePlan(rows.fields ?? [], rows.firstRows)
  return (
    <div className={styles['plan']}>
      {typeof plan === 'string' ? <LazyPlan plan={plan} /> : !whole.isError && <Skeleton height={120} />}
      <Refusal text={whole.error?.message} />
    </div>
  )
}
