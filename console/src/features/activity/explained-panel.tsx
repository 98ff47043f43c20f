import { query } from '@boathouse/contract/query'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { LazyPlan } from '../../statement/lazy-plan.tsx'
import { Panel, Refusal, Skeleton } from '../../ui/index.ts'

const MOST_LINES = 1_000

/** What an EXPLAIN has answered, as a tree; for whoever ran it, while it is kept. */
export function ExplainedPanel({ queryId }: { queryId: string }) {
  const { data, error } = useCall(
    query.resultWindow,
    { queryId, offset: 0, limit: MOST_LINES },
    { silent: true },
  )
  const isCut = (data?.longCells.length ?? 0) > 0
  const whole = useCall(
    query.resultCell,
    { queryId, row: Math.max(0, (data?.totalRows ?? 1) - 1), column: (data?.fields.length ?? 1) - 1 },
    { silent: true, enabled: isCut },
  )
  const plan = isCut ? whole.data?.text : data?.rows.map((row) => row.at(-1) ?? '').join('\n')
  const refusal = error ?? whole.error
  return (
    <Panel title={t('activity.detail.plan')}>
      {plan === undefined && !refusal && <Skeleton height={120} />}
      <Refusal text={refusal?.message} />
      {typeof plan === 'string' && <LazyPlan plan={plan} />}
    </Panel>
  )
}
