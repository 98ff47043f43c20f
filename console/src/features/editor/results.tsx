import { QUERY_STATES } from '@boathouse/contract'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { CodeBlock, EmptyState, Kbd } from '../../ui/index.ts'
import { useEditorState } from './editor-store.ts'
import { useEditorRuntime } from './editor-runtime.ts'
import { shownRun } from './editor-tab.ts'
import { errorPlace } from './error-place.ts'
import { IconInfoCircle } from './icons.ts'
import { ResultGrid } from './result-grid.tsx'
import { ResultHeader } from './result-header.tsx'
import type { Run, StatementResult } from './run.ts'
import { RunningStatement } from './running-statement.tsx'
import { StatementChips } from './statement-chips.tsx'
import { StatementError } from './statement-error.tsx'
import { StatementOutcome } from './statement-outcome.tsx'
import { mergePlan, shownIndex, statementView } from './statement-view.ts'
import type { StatementView } from './statement-view.ts'
import styles from './results.module.css'

interface Props {
  readonly tabId: string
  readonly onGoTo: (offset: number) => void
}

/** Everything that the last run of a tab answered. */
export function Results({ tabId, onGoTo }: Props) {
  const { t } = useTranslation()
  const { store } = useEditorRuntime()
  const panelId = useId()
  const run = useEditorState(store, ({ tabs }) => (tabs[tabId] ? shownRun(tabs[tabId]) : undefined))
  const chosen = useEditorState(store, ({ tabs }) => tabs[tabId]?.chosenStatement ?? null)
  if (!run) return <NothingYet />

  const index = shownIndex(run, chosen)
  const statement = run.statements.find((one) => one.index === index)
  const view = viewOf(run, statement)
  return (
    <section className={styles['results']} aria-label={t('editor.result.label')}>
      <div className={styles['bar']}>
        {(run.statementCount ?? 1) > 1 && (
          <StatementChips
            run={run}
            shown={index}
            panelId={panelId}
            onChoose={(next) => store.chooseStatement(tabId, next)}
          />
        )}
        <ResultHeader run={run} statement={statement} view={view} />
      </div>
      {statement?.notice && <ResultNotice text={statement.notice} />}
      <div id={panelId} className={styles['content']}>
        <Content run={run} statement={statement} view={view} tabId={tabId} onGoTo={onGoTo} />
      </div>
    </section>
  )
}

/** A run that the console gave up failed as a whole, whatever its statement last said. */
function viewOf(run: Run, statement: StatementResult | undefined): StatementView {
  const isGivenUp = run.failure !== null && statement?.state !== QUERY_STATES.Finished
  if (isGivenUp) return 'failed'
  const view = statementView(run, statement)
  return view === 'waiting' && run.statementCount === null ? 'running' : view
}

interface ContentProps extends Props {
  readonly run: Run
  readonly statement: StatementResult | undefined
  readonly view: StatementView
}

function Content({ run, statement, view, tabId, onGoTo }: ContentProps) {
  const { t } = useTranslation()
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
  if (view === 'running' || view === 'queued' || view === 'asked')
    return <RunningStatement tabId={tabId} run={run} statement={statement} />
  if (view === 'waiting') return <EmptyState title={t('editor.result.waiting')} />
  if (view === 'skipped')
    return <EmptyState title={t('editor.result.notRun')}>{t('editor.result.notRunBody')}</EmptyState>
  if (!statement) return null
  if (view === 'stopped')
    return <EmptyState title={t('editor.result.stoppedBody')}>{statement.errMsg}</EmptyState>
  if (view === 'done') return <StatementOutcome statement={statement} />
  if (view === 'plan')
    return (
      <div className={styles['plan']}>
        <CodeBlock label={t('editor.result.explain')} code={mergePlan(statement.fields, statement.rows)} />
      </div>
    )
  return (
    <div className={styles['rows']}>
      <ResultGrid
        key={`${statement.requestId} ${statement.index}`}
        label={t('editor.grid.label')}
        columns={statement.fields}
        rows={statement.rows}
      />
      {view === 'empty' && (
        <div className={styles['overRows']}>
          <EmptyState title={t('editor.result.noRows')}>{t('editor.result.noRowsBody')}</EmptyState>
        </div>
      )}
    </div>
  )
}

/** What the service has to say beside the result. */
function ResultNotice({ text }: { text: string }) {
  return (
    <p className={styles['notice']} role="status">
      <IconInfoCircle size={16} stroke={1.8} aria-hidden />
      {text}
    </p>
  )
}

function NothingYet() {
  const { t } = useTranslation()
  return (
    <section className={styles['results']} aria-label={t('editor.result.label')}>
      <EmptyState title={t('editor.result.none')}>
        <p className={styles['hint']}>
          <Kbd keys={['Mod', 'Enter']} /> {t('editor.result.noneRun')}
        </p>
        <p className={styles['hint']}>
          <Kbd keys={['Mod', 'Shift', 'Enter']} /> {t('editor.result.noneRunAll')}
        </p>
      </EmptyState>
    </section>
  )
}
