import { lazy, Suspense } from 'react'
import { t } from '../../../i18n/texts.ts'
import { EmptyState, Spinner } from '../../../ui/index.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { RowsResult } from '../rows/result-rows.tsx'
import type { Run, StatementResult } from '../running/run.ts'
import { ExplainedPlan } from './explained-plan.tsx'
import { HeldRun } from './held-run.tsx'
import { RunningStatement } from './running-statement.tsx'
import { StatementError } from './statement-error.tsx'
import { StatementOutcome } from './statement-outcome.tsx'
import type { StatementView } from './statement-view.ts'
import type { Chart } from '../chart/use-chart.ts'
import type { Looks } from '../rows/use-looks.ts'
import type { ResultRows } from '../rows/use-result-rows.ts'
import type { ResultView } from '../rows/view/use-result-view.ts'

const ChartView = lazy(async () => ({ default: (await import('../chart/chart-view.tsx')).ChartView }))

const PivotView = lazy(async () => ({ default: (await import('../pivot/pivot-view.tsx')).PivotView }))

interface Props {
  readonly tabId: string
  readonly run: Run
  readonly statement: StatementResult | undefined
  readonly view: StatementView
  readonly rows: ResultRows
  readonly arranged: ResultView
  readonly looks: Looks
  readonly chart: Chart
  readonly onGoTo: (offset: number) => void
}

/** What one statement answered, or what is known of it until it does. */
export function StatementContent(props: Props) {
  const { tabId, run, statement, view, rows, onGoTo } = props
  const { store } = useEditorRuntime()
  if (view === 'failed')
    return <StatementError tabId={tabId} run={run} statement={statement} onGoTo={onGoTo} />
  if (view === 'held') return <HeldRun tabId={tabId} run={run} />
  if (view === 'running' || view === 'queued' || view === 'asked')
    return <RunningStatement tabId={tabId} run={run} statement={statement} />
  if (view === 'waiting') return <EmptyState title={t('editor.result.waiting')}>{null}</EmptyState>
  if (view === 'skipped')
    return <EmptyState title={t('editor.result.notRun')}>{t('editor.result.notRunBody')}</EmptyState>
  if (view === 'stopped') return <EmptyState title={stoppedWords(run, statement)}>{null}</EmptyState>
  if (!statement) return null
  if (view === 'done') return <StatementOutcome statement={statement} />
  if (view === 'plan' && rows.fields) return <ExplainedPlan statement={statement} rows={rows} />
  if (props.chart.way === 'chart' && rows.firstRows.length > 0)
    return (
      <Suspense fallback={<Spinner label={t('editor.result.loadingRows')} />}>
        <ChartView tabId={tabId} sql={statement.sql} chart={props.chart} view={props.arranged} />
      </Suspense>
    )
  if (props.chart.way === 'pivot' && rows.firstRows.length > 0)
    return (
      <Suspense fallback={<Spinner label={t('editor.result.loadingRows')} />}>
        <PivotView
          key={statement.queryId}
          queryId={statement.isKept ? statement.queryId : null}
          kept={props.chart.pivot}
          view={props.arranged}
          onChange={props.chart.changePivot}
        />
      </Suspense>
    )
  return (
    <RowsResult
      key={`${statement.requestId} ${statement.index}`}
      queryId={statement.queryId}
      isKept={statement.isKept}
      rows={rows}
      view={props.arranged}
      looks={props.looks}
      onSelect={store.select}
    />
  )
}

/** The service says who stopped it, and when; of what never reached it the console does. */
const stoppedWords = (run: Run, statement: StatementResult | undefined): string =>
  run.failure ? t(`editor.error.local.${run.failure}`) : (statement?.errMsg ?? '')
