import { t } from '../../../i18n/texts.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { Badge, IconButton, Segmented, useCopy } from '../../../ui/index.ts'
import { CopyMenu } from '../rows/copy-menu.tsx'
import { DownloadMenu } from '../rows/download-menu.tsx'
import { LooksMenu } from '../rows/looks-menu.tsx'
import { useEditorRuntime } from '../editor-runtime.ts'
import { useEditorState } from '../tabs/editor-store.ts'
import { Elapsed } from '../running/elapsed.tsx'
import { IconCopy } from '../icons.ts'
import { rowCount } from '../rows/row-count.ts'
import { isFinal } from '../running/run.ts'
import type { Run, StatementResult } from '../running/run.ts'
import { ranWords } from './ran-words.ts'
import { ResultCost } from './result-cost.tsx'
import { stateOf } from './statement-state.ts'
import { tookText } from './took-text.ts'
import type { StatementView } from './statement-view.ts'
import type { Download } from '../rows/use-download.ts'
import { type Chart, RESULT_WAYS } from '../chart/use-chart.ts'
import type { Looks } from '../rows/use-looks.ts'
import type { ResultRows } from '../rows/use-result-rows.ts'
import type { ResultView } from '../rows/view/use-result-view.ts'
import styles from './results.module.css'

interface Props {
  readonly tabId: string
  readonly run: Run
  readonly statement: StatementResult | undefined
  readonly view: StatementView
  readonly rows: ResultRows
  readonly arranged: ResultView
  readonly looks: Looks
  readonly chart: Chart
  readonly download: Download
  readonly onShare: () => void
  readonly onCompare: () => void
}

const exact = (count: number): string => count.toLocaleString('en-US')

function RowCount({ rows, isTruncated }: { rows: ResultRows; isTruncated: boolean }) {
  if (rows.fields === null) return null
  const { key, shown, all } = rowCount(rows, isTruncated)
  const columns = rows.fields.length
  return (
    <>
      <span>{t(`editor.result.${key}`, { count: shown, shown: exact(shown), all: exact(all) })}</span>
      <span>{t('editor.result.columns', { count: columns, shown: exact(columns) })}</span>
    </>
  )
}

/** Ids begin with the time they were made, so it is their ends that differ. */
const shortId = (id: string): string => id.slice(-8)

const at = (ms: number | null): string => (ms === null ? '–' : formatDateTime(new Date(ms).toISOString()))

function Time({ run, statement }: { run: Run; statement: StatementResult | undefined }) {
  if (!statement || !isFinal(statement.state)) return <Elapsed run={run} />
  const title = t('editor.result.times', { start: at(statement.startTime), end: at(statement.endTime) })
  return <span title={title}>{tookText(statement)}</span>
}

/** What ran, where the text beside it does not say so: it was run from the tree, or the text is another by now. */
function Ran({ tabId, sql }: { tabId: string; sql: string }) {
  const { store } = useEditorRuntime()
  const isInText = useEditorState(store, ({ tabs }) => tabs[tabId]?.sql.includes(sql) ?? true)
  if (isInText) return null
  return (
    <span className={styles['ran']} title={sql.slice(0, 2_000)}>
      {ranWords(sql)}
    </span>
  )
}

/** State, rows, times and the query's id, in one line. */
export function ResultHeader(props: Props) {
  const { tabId, run, statement, view, rows, arranged, looks, chart, download, onShare, onCompare } = props
  const { store } = useEditorRuntime()
  const selected = useEditorState(store, ({ selection }) => selection?.range ?? null)
  const copy = useCopy()
  const state = stateOf(view, run.stopping)
  return (
    <div className={styles['header']}>
      <Badge tone={state.tone}>{t(`editor.result.state.${state.key}`)}</Badge>
      <p className={styles['facts']}>
        <Ran tabId={tabId} sql={statement?.sql ?? run.sql} />
        {view === 'rows' && statement && <RowCount rows={rows} isTruncated={statement.truncated} />}
        <Time run={run} statement={statement} />
        {statement?.queryId && isFinal(statement.state) && <ResultCost queryId={statement.queryId} />}
        {run.endedBefore !== null && (
          <span title={t('editor.result.restoredHint')}>
            {t('editor.result.restored', { time: at(run.endedBefore) })}
          </span>
        )}
        {statement?.queryId && (
          <span className={styles['queryId']}>
            {t('editor.result.queryId', { id: shortId(statement.queryId) })}
            <IconButton
              label={t('editor.result.copyQueryId')}
              size="sm"
              onClick={() => copy(statement.queryId)}
            >
              <IconCopy size={13} aria-hidden />
            </IconButton>
          </span>
        )}
      </p>
      {view === 'rows' && rows.firstRows.length > 0 && <RowsOrChart chart={chart} />}
      {view === 'rows' && rows.firstRows.length > 0 && <CopyMenu view={arranged} selected={selected} />}
      {view === 'rows' && statement?.isKept && (
        <DownloadMenu
          queryId={statement.queryId}
          download={download}
          kept={rows.count}
          isPart={rows.total ? !rows.total.isComplete : false}
        />
      )}
      {view === 'rows' && rows.fields !== null && (
        <LooksMenu looks={looks} {...(statement?.isKept && { onShare, onCompare })} />
      )}
    </div>
  )
}

function RowsOrChart({ chart }: { chart: Chart }) {
  return (
    <Segmented
      label={t('resultView.way.label')}
      value={chart.way}
      segments={RESULT_WAYS.map((value) => ({ value, label: t(`resultView.way.${value}`) }))}
      onChange={chart.show}
    />
  )
}
