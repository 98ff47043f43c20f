import '../../i18n/activity.ts'
import { type HistoryEntry, query } from '@boathouse/contract/query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useDeferredValue } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { formatCount, formatDateTime, formatDuration, formatRelative } from '../../lib/format.ts'
import { costText } from '../../statement/cost-text.ts'
import {
  Button,
  buttonClassName,
  DataTable,
  EmptyState,
  ErrorState,
  Page,
  PageHeader,
  Skeleton,
  type TableColumn,
} from '../../ui/index.ts'
import { ActivityFilters } from './activity-filters.tsx'
import { type ActivitySearch, filterOf } from './activity-search.ts'
import { usePlaces } from './places.ts'
import { RunningPanel } from './running-panel.tsx'
import { SentBy } from './client-name.tsx'
import { StatementLink } from './statement-link.tsx'
import { StatementState } from './statement-state.tsx'
import { type ShownHistory, useHistory } from './use-history.ts'
import { useLiveActivity } from './use-live-activity.ts'
import styles from './activity.module.css'

interface Props {
  readonly shown: ActivitySearch
  readonly onShow: (shown: ActivitySearch) => void
}

/** What runs now, and below it what has run, newest first. */
export function ActivityPage({ shown, onShow }: Props) {
  useLiveActivity(query.history)
  const running = useCall(query.running, {}).data?.entries
  const waiting = running?.filter(({ waitsFor }) => waitsFor !== null).length
  const { schedules } = usePlaces()
  const asked = useDeferredValue(shown)
  const history = useHistory(asked)
  return (
    <Page>
      <PageHeader
        title={t('activity.title')}
        facts={
          running && [
            t('activity.facts.running', { count: running.length - (waiting ?? 0) }),
            t('activity.facts.queued', { count: waiting ?? 0 }),
          ]
        }
        actions={
          <Link to={schedules} className={buttonClassName({})}>
            {t('activity.schedules')}
          </Link>
        }
      />
      <RunningPanel />
      <ActivityFilters shown={shown} onShow={onShow} />
      <Found
        history={history}
        isNarrowed={Object.keys(filterOf(asked, 0)).length > 0}
        onReset={() => onShow({})}
      />
    </Page>
  )
}

function NoneYet() {
  const { editor } = usePlaces()
  return (
    <EmptyState
      title={t('activity.empty.title')}
      actions={
        <Link to={editor} className={buttonClassName({ variant: 'primary' })}>
          {t('activity.empty.action')}
        </Link>
      }
    >
      <p>{t('activity.empty.body')}</p>
    </EmptyState>
  )
}

interface FoundProps {
  readonly history: ShownHistory
  readonly isNarrowed: boolean
  readonly onReset: () => void
}

function Found({ history, isNarrowed, onReset }: FoundProps): ReactNode {
  const { entries, isLoading, isSearching, hasMore, error } = history
  if (isLoading) return <Skeleton height={180} />
  if (error && entries.length === 0)
    return <ErrorState title={t('shell.requestError.title')} what={error.message} onRetry={history.retry} />
  if (entries.length === 0 && !isSearching && !hasMore)
    return isNarrowed ? (
      <EmptyState
        title={t('activity.nothingFound.title')}
        actions={<Button onClick={onReset}>{t('activity.filter.reset')}</Button>}
      >
        <p>{t('activity.nothingFound.body')}</p>
      </EmptyState>
    ) : (
      <NoneYet />
    )
  return (
    <>
      {entries.length > 0 && (
        <DataTable
          label={t('activity.history')}
          columns={columnsAt(history.at)}
          rows={entries}
          rowKey={({ queryId }) => queryId}
        />
      )}
      <More history={history} />
    </>
  )
}

function More({ history: { hasMore, isSearching, searchedTo, showMore } }: Pick<FoundProps, 'history'>) {
  if (!hasMore) return null
  return (
    <div className={styles['more']}>
      <Button size="sm" loading={isSearching} onClick={showMore}>
        {searchedTo ? t('activity.searchFurther') : t('activity.more')}
      </Button>
      <span className={styles['note']} role="status">
        {searchedTo && t('activity.searchedTo', { time: formatDateTime(searchedTo) })}
      </span>
    </div>
  )
}

const columnsAt = (now: number): readonly TableColumn<HistoryEntry>[] => [
  {
    key: 'statement',
    header: t('activity.column.statement'),
    leastPx: 220,
    cell: (of) => <StatementLink of={of} />,
  },
  { key: 'state', header: t('activity.column.state'), cell: (of) => <StatementState of={of} /> },
  { key: 'user', header: t('activity.column.user'), cell: (one) => <SentBy of={one} /> },
  { key: 'warehouse', header: t('activity.column.warehouse'), cell: ({ warehouse }) => warehouse },
  {
    key: 'began',
    header: t('activity.column.began'),
    cell: ({ acceptedAt }) => (
      <time dateTime={acceptedAt} title={formatDateTime(acceptedAt)}>
        {formatRelative(acceptedAt, now)}
      </time>
    ),
  },
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
    cell: ({ rows }) => (rows === null ? '–' : <span title={String(rows)}>{formatCount(rows)}</span>),
  },
  {
    key: 'cost',
    header: t('activity.column.cost'),
    align: 'end',
    cell: ({ cost }) => costText(cost),
  },
]
