import { t } from '../../../i18n/texts.ts'
import { CodeBlock, EmptyState } from '../../../ui/index.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { errorPlace } from '../text/error-place.ts'
import { RowsResult } from '../rows/result-rows.tsx'
import type { Run, StatementResult } from '../running/run.ts'
import { HeldRun } from './held-run.tsx'
import { RunningStatement } from './running-statement.tsx'
import { StatementError } from './statement-error.tsx'
import { StatementOutcome } from './statement-outcome.tsx'
import { mergePlan } from './statement-view.ts'
import type { StatementView } from './statement-view.ts'
import type { ResultRows } from '../rows/use-result-rows.ts'
import styles from './results.module.css'

interface Props {
  readonly tabId: string
  readonly run: Run
  readonly statement: StatementResult | undefined
  readonly view: StatementView
  readonly rows: ResultRows
  readonly onGoTo: (offset: number) => void
}

/** What one statement answered, or what is known of it until it does. */
export function StatementContent({ tabId, run, statement, view, rows, onGoTo }: Props) {
  const { store } = useEditorRuntime()
  if (view === 'failed') {
    const text = store.tab(tabId)?.sql ?? ''
    return (
      <StatementError
        tabId={tabId}
        run={run}
        statement={statement}
        place={statement?.errPosition ? errorPlace(text, run) : null}
        onGoTo={onGoTo}
      />
    )
  }
  if (view === 'held') return <HeldRun tabId={tabId} run={run} />
  if (view === 'running' || view === 'queued' || view === 'asked')
    return <RunningStatement tabId={tabId} run={run} statement={statement} />
  if (view === 'waiting') return <EmptyState title={t('editor.result.waiting')} />
  if (view === 'skipped')
    return <EmptyState title={t('editor.result.notRun')}>{t('editor.result.notRunBody')}</EmptyState>
  if (!statement) return null
  if (view === 'stopped')
    return <EmptyState title={t('editor.result.stoppedBody')}>{statement.errMsg}</EmptyState>
  if (view === 'done') return <StatementOutcome statement={statement} />
  if (view === 'plan' && rows.fields)
    return (
      <div className={styles['plan']}>
        <CodeBlock label={t('editor.result.explain')} code={mergePlan(rows.fields, rows.firstRows)} />
      </div>
    )
  return <RowsResult key={`${statement.requestId} ${statement.index}`} statement={statement} rows={rows} />
}
