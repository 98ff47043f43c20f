import type { EarlierRun } from '@boathouse/contract/query'
import { Link } from '@tanstack/react-router'
import { t } from '../../i18n/texts.ts'
import { formatCount, formatDateTime, formatDuration, formatRelative } from '../../lib/format.ts'
import { BarChart, DataTable, Panel, type TableColumn } from '../../ui/index.ts'
import { usePlaces } from './places.ts'
import { StatementState } from './statement-state.tsx'
import styles from './activity.module.css'

interface Props {
  readonly queryId: string
  readonly runs: readonly EarlierRun[]
  readonly now: number
}

/** The same text at other times: whether it takes longer than it did. Not there for one that ran once. */
export function RunsPanel({ queryId, runs, now }: Props) {
  const { statement } = usePlaces()
  if (runs.length < 2) return null
  const ended = runs.filter(({ endedAt }) => endedAt !== null).toReversed()
  return (
    <Panel
      title={t('activity.detail.runs')}
      actions={
        <span className={styles['note']}>{t('activity.detail.runsNote', { count: runs.length })}</span>
      }
    >
      <BarChart
        label={t('activity.detail.runs')}
        bars={ended.map((run) => ({
          key: run.queryId,
          label: '',
          value: (run.durationMs ?? 0) / 1000,
          detail: t('activity.detail.runDetail', {
            time: formatDateTime(run.acceptedAt),
            duration: formatDuration(run.durationMs ?? Number.NaN),
            state: t(`activity.state.${run.state}`),
          }),
          isOpen: run.queryId === queryId,
        }))}
      />
      <DataTable
        inPanel
        label={t('activity.detail.runs')}
        rows={runs}
        rowKey={(run) => run.queryId}
        columns={columnsOf(queryId, now, statement)}
      />
    </Panel>
  )
}

const columnsOf = (
  queryId: string,
  now: number,
  addressOf: (queryId: string) => string,
): readonly TableColumn<EarlierRun>[] => [
  {
    key: 'began',
    header: t('activity.column.began'),
    cell: (run) =>
      run.queryId === queryId ? (
        t('activity.detail.thisRun')
      ) : (
        <Link to={addressOf(run.queryId)} title={formatDateTime(run.acceptedAt)}>
          {formatRelative(run.acceptedAt, now)}
        </Link>
      ),
  },
  { key: 'state', header: t('activity.column.state'), cell: (run) => <StatementState of={run} /> },
  { key: 'user', header: t('activity.column.user'), cell: ({ user }) => user },
  {
    key: 'duration',
    header: t('activity.column.duration'),
    align: 'end',
    cell: ({ durationMs }) => formatDuration(durationMs ?? Number.NaN),
  },
  {
    key: 'rows',
    header: t('activity.column.rows'),
    align: 'end',
    cell: ({ rows }) => (rows === null ? '–' : formatCount(rows)),
  },
]
