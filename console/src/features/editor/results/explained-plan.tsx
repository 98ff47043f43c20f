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
  const { queryId } = statement
  const last = { row: rows.firstRows.length - 1, column: (rows.fields?.length ?? 1) - 1 }
  const isCut = rows.grid.lengthAt(last.row, last.column) !== undefined && statement.isKept
  const options = { silent: true, staleTime: Infinity }
  const whole = useCall(query.resultCell, { queryId, ...last }, { ...options, enabled: isCut })
  const tree = useCall(query.plan, { queryId }, { ...options, enabled: queryId !== '' })
  const text = isCut ? whole.data?.text : mergePlan(rows.fields ?? [], rows.firstRows)
  const isReady = typeof text === 'string' && !tree.isLoading
  return (
    <div className={styles['plan']}>
      {isReady ? (
        <LazyPlan root={tree.data?.profile ?? null} advice={tree.data?.advice ?? []} text={text} />
      ) : (
        !whole.isError && <Skeleton height={120} />
      )}
      <Refusal text={whole.error?.message} />
    </div>
  )
}
