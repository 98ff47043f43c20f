import { QUERY_STATES } from '@boathouse/contract/realtime'
import { useId } from 'react'
import '../../../i18n/result-view.ts'
import { t } from '../../../i18n/texts.ts'
import { EmptyState, Kbd } from '../../../ui/index.ts'
import { DownloadFailure } from '../rows/download-menu.tsx'
import { useEditorState } from '../tabs/editor-store.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { shownRun } from '../tabs/editor-tab.ts'
import { IconInfoCircle } from '../icons.ts'
import { ResultHeader } from './result-header.tsx'
import { RowsFailure } from '../rows/result-rows.tsx'
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

interface Props {
  readonly tabId: string
  readonly onGoTo: (offset: number) => void
  /** Shows where in the text a statement stands. */
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
  return run ? <RunResults tabId={tabId} run={run} onGoTo={onGoTo} onMark={onMark} /> : <NothingYet />
}

function RunResults({ tabId, run, onGoTo, onMark }: Props & { readonly run: Run }) {
  const { store } = useEditorRuntime()
  const panelId = useId()
  const chosen = useEditorState(store, ({ tabs }) => tabs[tabId]?.chosenStatement ?? null)
  const index = shownIndex(run, chosen)
  const statement = run.statements.find((one) => one.index === index)
  const view = viewOf(run, statement)
  const rows = useResultRows(view === 'rows' || view === 'plan' ? statement : undefined)
  const arranged = useResultView(`${statement?.requestId} ${index}`, rows)
  const looks = useLooks()
  const chart = useChart(tabId)
  const download = useDownload()
  return (
    <section className={styles['results']} aria-label={t('editor.result.label')}>
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
          run={run}
          statement={statement}
          view={view}
          rows={rows}
          arranged={arranged}
          looks={looks}
          chart={chart}
          download={download}
        />
      </div>
      {statement?.notice && <ResultNotice text={statement.notice} />}
      {statement?.queryId === download.failed?.queryId && <DownloadFailure download={download} />}
      {rows.fields !== null && <RowsFailure rows={rows} />}
      {view === 'rows' && rows.fields && (
        <ViewStrip view={arranged} rows={rows.firstRows.length} fields={rows.fields} />
      )}
      <div id={panelId} className={styles['content']}>
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
