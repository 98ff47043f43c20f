import { useTranslation } from 'react-i18next'
import { formatDateTime, formatDuration } from '../../lib/format.ts'
import { Badge, Button, IconButton, useCopy } from '../../ui/index.ts'
import { Elapsed } from './elapsed.tsx'
import { tableToTsv } from './grid-tsv.ts'
import { IconCopy } from './icons.ts'
import { isFinal } from './run.ts'
import type { Run, StatementResult } from './run.ts'
import { stateOf } from './statement-state.ts'
import type { StatementView } from './statement-view.ts'
import styles from './results.module.css'

interface Props {
  readonly run: Run
  readonly statement: StatementResult | undefined
  readonly view: StatementView
}

const exact = (count: number): string => count.toLocaleString('en-US')

function RowCount({ statement }: { statement: StatementResult }) {
  const { t } = useTranslation()
  const shown = exact(statement.rows.length)
  const columns = statement.fields.length
  return (
    <>
      <span>
        {statement.truncated
          ? t('editor.result.firstRows', { shown })
          : t('editor.result.rows', { count: statement.rows.length, shown })}
      </span>
      <span>{t('editor.result.columns', { count: columns, shown: exact(columns) })}</span>
    </>
  )
}

const at = (ms: number | null): string => (ms === null ? '–' : formatDateTime(new Date(ms).toISOString()))

function Time({ run, statement }: { run: Run; statement: StatementResult | undefined }) {
  const { t } = useTranslation()
  if (!statement || !isFinal(statement.state)) return <Elapsed run={run} />
  const title = t('editor.result.times', { start: at(statement.startTime), end: at(statement.endTime) })
  return <span title={title}>{formatDuration(statement.timeUsed)}</span>
}

/** EDITOR-18: state, rows, times and the query's id, in one line. */
export function ResultHeader({ run, statement, view }: Props) {
  const { t } = useTranslation()
  const copy = useCopy()
  const state = stateOf(view)
  const hasRows = statement && (view === 'rows' || view === 'empty')
  return (
    <div className={styles['header']}>
      <Badge tone={state.tone}>{t(`editor.result.state.${state.key}`)}</Badge>
      <p className={styles['facts']}>
        {hasRows && <RowCount statement={statement} />}
        <Time run={run} statement={statement} />
        {statement?.queryId && (
          <span className={styles['queryId']}>
            {t('editor.result.queryId', { id: statement.queryId.slice(0, 8) })}
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
      {view === 'rows' && statement && (
        <Button
          size="sm"
          title={t('editor.result.copyRowsHint')}
          onClick={() =>
            copy(
              tableToTsv(
                statement.fields.map((field) => field.name),
                statement.rows,
              ),
            )
          }
        >
          {t('editor.result.copyRows')}
        </Button>
      )}
    </div>
  )
}
