import '../../../i18n/schedules.ts'
import { schedule as calls, type Schedule, type ScheduleRun } from '@boathouse/contract/schedule'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useCall } from '../../../lib/api.ts'
import { formatCount, formatDateTime } from '../../../lib/format.ts'
import {
  Badge,
  DataTable,
  Dialog,
  EmptyState,
  ErrorState,
  Pager,
  Skeleton,
  type TableColumn,
} from '../../../ui/index.ts'
import { timeInZone } from './next-runs.tsx'
import { LOOK_MS } from './look-again.ts'
import { RunDelivered } from './run-delivery.tsx'
import { isOpen, RunState } from './run-state.tsx'
import styles from './schedules.module.css'

interface Props {
  readonly schedule: Schedule
  readonly statementPath: (queryId: string) => string
  readonly onClose: () => void
}

const PAGE = 10
/** A run may begin while they are looked at. */
const IDLE_MS = 10_000

const changesSoon = (run: ScheduleRun): boolean => isOpen(run) || run.delivery?.attempts === 0

/** What became of each run, newest first. */
export function RunsDialog({ schedule, statementPath, onClose }: Props) {
  const [page, setPage] = useState(1)
  const { scheduleId, queryName, nextRunAt, timeZone } = schedule
  const { data, isError, error, refetch } = useCall(
    calls.runs,
    { scheduleId, offset: (page - 1) * PAGE, limit: PAGE },
    {
      silent: true,
      staleTime: 0,
      refetchInterval: (query) => (query.state.data?.runs.some(changesSoon) ? LOOK_MS : IDLE_MS),
    },
  )
  return (
    <Dialog open onClose={onClose} title={t('schedules.runs.title', { name: queryName })} width={860}>
      {isError && (
        <ErrorState title={t('schedules.runs.failed')} what={error.message} onRetry={() => void refetch()} />
      )}
      {!data && !isError && <Skeleton height={160} />}
      {data?.total === 0 && (
        <EmptyState title={t('schedules.runs.empty')}>
          <p>
            {nextRunAt === null
              ? t('schedules.runs.emptyPaused')
              : t('schedules.runs.emptyBody', { when: timeInZone(new Date(nextRunAt), timeZone) })}
          </p>
        </EmptyState>
      )}
      {data && data.total > 0 && (
        <>
          <DataTable
            label={t('schedules.runs.open')}
            rows={data.runs}
            rowKey={({ runId }) => runId}
            columns={columnsWith(statementPath)}
            wide
          />
          <Pager
            label={t('schedules.runs.open')}
            page={page}
            pageSize={PAGE}
            total={data.total}
            onPage={setPage}
          />
        </>
      )}
    </Dialog>
  )
}

function ConditionOf({ run: { met, notified, delivery, createdAt } }: { run: ScheduleRun }) {
  if (met === null && !notified) return '–'
  return (
    <>
      <span className={styles['last']}>
        {met !== null && t(met ? 'schedules.runs.met' : 'schedules.runs.notMet')}
        {notified && <Badge tone="warn">{t('schedules.runs.notified')}</Badge>}
      </span>
      {delivery && <RunDelivered of={delivery} when={createdAt} />}
    </>
  )
}

const columnsWith = (statementPath: (queryId: string) => string): TableColumn<ScheduleRun>[] => [
  {
    key: 'began',
    header: t('schedules.runs.began'),
    cell: ({ createdAt, dueAt }) => (
      <span className={styles['last']}>
        <time dateTime={createdAt}>{formatDateTime(createdAt)}</time>
        {dueAt === null && <Badge>{t('schedules.runs.byHand')}</Badge>}
      </span>
    ),
  },
  {
    key: 'state',
    header: t('schedules.runs.state'),
    cell: ({ state, error }) => (
      <>
        <RunState state={state} />
        {error !== '' && <p className={styles['error']}>{error}</p>}
      </>
    ),
  },
  {
    key: 'rows',
    header: t('schedules.runs.rows'),
    align: 'end',
    cell: ({ rows }) => (rows === null ? '–' : formatCount(rows)),
  },
  {
    key: 'condition',
    header: t('schedules.runs.condition'),
    cell: (run) => <ConditionOf run={run} />,
  },
  {
    key: 'statement',
    header: t('schedules.runs.statement'),
    cell: ({ queryId, createdAt }) =>
      queryId === null ? (
        '–'
      ) : (
        <Link
          to={statementPath(queryId)}
          aria-label={t('schedules.runs.openStatementOf', { when: formatDateTime(createdAt) })}
        >
          {t('schedules.runs.openStatement')}
        </Link>
      ),
  },
]
