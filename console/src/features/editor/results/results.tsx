import { QUERY_STATES } from '@boathouse/contract/realtime'
import { lazy, Suspense, useId, useState } from 'react'
import '../../../i18n/result-view.ts'
import { t } from '../../../i18n/texts.ts'
import { EmptyState, Kbd } from '../../../ui/index.ts'
import { DownloadFailure } from '../rows/download-menu.tsx'
import { useEditorState } from '../tabs/editor-store.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { runBefore, shownRun } from '../tabs/editor-tab.ts'
import { IconInfoCircle } from '../icons.ts'
import { ResultHeader } from './result-header.tsx'
import { RowsFailure } from '../rows/result-rows.tsx'
import { isAsked, isStoppedHere } from '../running/run.ts'
import type { Run, StatementResult } from '../running/run.ts'
import { StatementChips } from './statement-chips.tsx'
import { StatementContent } from './statement-content.tsx'
import { shownIndex, statementView } from './statement-view.ts'
import type { StatementView } from './statement-view.ts'
import { useDownload } from '../rows/use-download.ts'
import { useChart } from '../chart/use-chart.ts'
import { useLooks } from '../rows/use-looks.ts'
import { useResultRows } from '../rows/use-result-rows.ts'
import { useResultView } from '../rows/view/use-result-view.ts'
import { ViewStrip } from '../rows/view/view-strip.tsx'
import styles from './results.module.css'

const ShareDialog = lazy(async () => ({ default: (await import('../sharing/share-dialog.tsx')).ShareDialog }))

const CompareDialog = lazy(async () => ({
  default: (await import('../comparison/compare-dialog.tsx')).CompareDialog,
}))

interface Props {
  readonly tabId: string
  readonly onGoTo: (offset: number) => void
  /** Shows the place of a statement in the text. */
  readonly onMark: (place: TextPlace) => void
}

export interface TextPlace {
  readonly from: number
  readonly text: string
}

const placeOf = (run: Run, { start, sql }: StatementResult): TextPlace => ({
  from: run.from + start,
  text: sql,
})

/** Everything that the last run of a tab answered. */
export function Results({ tabId, onGoTo, onMark }: Props) {
  const { store } = useEditorRuntime()
  const run = useEditorState(store, ({ tabs }) => (tabs[tabId] ? shownRun(tabs[tabId]) : undefined))
  const before = useEditorState(store, ({ tabs }) => (tabs[tabId] ? runBefore(tabs[tabId]) : undefined))
  if (!run) return <NothingYet />
  const isShown = before !== undefined && isWaited(run) && hasRows(before)
  return (
    <RunResults
      tabId={tabId}
      run={isShown ? before : run}
      next={isShown ? run : null}
      onGoTo={onGoTo}
      onMark={onMark}
    />
  )
}

/** It runs, and there is nothing else to show: the earlier result can stay visible. */
const isWaited = (run: Run): boolean =>
  run.held === null && !isAsked(run) && !run.statements.some(({ queuePlace }) => queuePlace !== null)

function hasRows(run: Run): boolean {
  const view = viewOf(run, shownStatement(run, null))
  return view === 'rows' || view === 'plan'
}

const shownStatement = (run: Run, chosen: number | null): StatementResult | undefined => {
  const index = shownIndex(run, chosen)
  return run.statements.find((one) => one.index === index)
}

interface RunProps extends Props {
  readonly run: Run
  /** The one that runs now, if what is shown is of the one before. */
  readonly next: Run | null
}

function RunResults({ tabId, run, next, onGoTo, onMark }: RunProps) {
  const { store } = useEditorRuntime()
  const panelId = useId()
  const chosen = useEditorState(store, ({ tabs }) => tabs[tabId]?.chosenStatement ?? null)
  const index = shownIndex(run, chosen)
  const statement = run.statements.find((one) => one.index === index)
  const view = viewOf(run, statement)
  const rows = useResultRows(view === 'rows' || view === 'plan' ? statement : undefined)
  const { queryId = '', isKept = false } = statement ?? {}
  const arranged = useResultView({ key: `${statement?.requestId} ${index}`, queryId, isKept }, rows)
  const looks = useLooks()
  const chart = useChart(tabId)
  const download = useDownload()
  const [shared, setShared] = useState<{ queryId: string; isOpen: boolean } | null>(null)
  const [compared, setCompared] = useState<string | null>(null)
  const headed = next ?? run
  return (
    <section className={styles['results']} aria-label={t('editor.result.label')} data-run={headed.requestId}>
      <div className={styles['bar']}>
        {(run.statementCount ?? 1) > 1 && (
          <StatementChips
            run={run}
            shown={index}
            panelId={panelId}
            onChoose={(next) => {
              store.chooseStatement(tabId, next)
              const chosenOne = run.statements.find((one) => one.index === next)
              if (chosenOne) onMark(placeOf(run, chosenOne))
            }}
          />
        )}
        <ResultHeader
          tabId={tabId}
          run={headed}
          statement={next ? undefined : statement}
          view={next ? 'running' : view}
          rows={rows}
          arranged={arranged}
          looks={looks}
          chart={chart}
          download={download}
          onShare={() => setShared({ queryId, isOpen: true })}
          onCompare={() => setCompared(queryId)}
        />
        {next && (
          <div role="progressbar" className={styles['next']} aria-label={t('editor.result.progress')} />
        )}
      </div>
      {statement?.notice && <ResultNotice text={statement.notice} />}
      {statement?.queryId === download.failed?.queryId && <DownloadFailure download={download} />}
      {rows.fields !== null && <RowsFailure rows={rows} />}
      {arranged.elsewhere && <RowsFailure rows={arranged.elsewhere} />}
      {view === 'rows' && rows.fields && (
        <ViewStrip
          view={arranged}
          rows={rows.count}
          isPart={rows.total?.isComplete === false}
          fields={rows.fields}
        />
      )}
      {/* The earlier result is to be seen, not to be used. */}
      <div id={panelId} className={styles['content']} inert={next !== null} aria-busy={next !== null}>
        <StatementContent
          tabId={tabId}
          run={run}
          statement={statement}
          view={view}
          rows={rows}
          arranged={arranged}
          looks={looks}
          chart={chart}
          onGoTo={onGoTo}
        />
      </div>
      {compared !== null && compared === queryId && (
        <Suspense>
          <CompareDialog
            key={compared}
            queryId={compared}
            columns={rows.fields ?? []}
            onClose={() => setCompared(null)}
          />
        </Suspense>
      )}
      {shared && (
        <Suspense>
          <ShareDialog
            queryId={shared.queryId}
            open={shared.isOpen}
            onClose={() => setShared({ ...shared, isOpen: false })}
          />
        </Suspense>
      )}
    </section>
  )
}

/** A run that the console gave up failed as a whole, whatever its statement last said. */
function viewOf(run: Run, statement: StatementResult | undefined): StatementView {
  const isGivenUp = run.failure !== null && statement?.state !== QUERY_STATES.Finished
  // What the user ended is no failure, sent or not.
  if (isGivenUp) return isStoppedHere(run) ? 'stopped' : 'failed'
  const view = statementView(run, statement)
  return view === 'waiting' && run.statementCount === null ? 'running' : view
}

/** What the service has to say beside the result. */
function ResultNotice({ text }: { text: string }) {
  return (
    <div className={styles['strip']} role="status">
      <IconInfoCircle size={16} stroke={1.8} aria-hidden />
      <p className={styles['stripText']}>{text}</p>
    </div>
  )
}

function NothingYet() {
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
