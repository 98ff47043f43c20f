import { home, type RecentWork } from '@boathouse/contract/home'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { formatDateTime, formatRelative } from '../../lib/format.ts'
import { ErrorState, Panel, Skeleton, StateDot } from '../../ui/index.ts'
import styles from './home.module.css'

/** Where what is listed leads to. */
export interface RecentAddresses {
  readonly query: (query: RecentWork['queries'][number]) => string
  readonly table: (table: RecentWork['tables'][number]) => string
  readonly dashboard: (dashboardId: string) => string
  readonly statement: (queryId: string) => string
  readonly failure: (failure: RecentWork['failures'][number]) => string
}

/** How soon what runs is looked at again. */
const RUNNING_MS = 5_000

/** What somebody was working on, what runs, and what needs them. */
export function RecentPanels({ addresses }: { addresses: RecentAddresses }) {
  const {
    data,
    error,
    refetch,
    dataUpdatedAt: now,
  } = useCall(
    home.recent,
    {},
    {
      silent: true,
      staleTime: 0,
      refetchInterval: ({ state }) => (state.data && state.data.running.length > 0 ? RUNNING_MS : false),
    },
  )
  if (error)
    return (
      <Panel title={t('home.recent.title')}>
        <ErrorState title={t('home.recent.failed')} what={error.message} onRetry={() => void refetch()} />
      </Panel>
    )
  return (
    <div className={styles['recent']}>
      <Listed title={t('home.recent.queries')} empty={t('home.recent.noQueries')} rows={data?.queries}>
        {(query) => (
          <Row
            key={query.tabId}
            to={addresses.query(query)}
            name={query.tabName}
            at={query.changedAt}
            now={now}
          />
        )}
      </Listed>
      <Listed title={t('home.recent.tables')} empty={t('home.recent.noTables')} rows={data?.tables}>
        {(table) => (
          <Row
            key={`${table.catalog}.${table.database}.${table.name}`}
            to={addresses.table(table)}
            name={`${table.database}.${table.name}`}
            at={table.usedAt}
            now={now}
          />
        )}
      </Listed>
      <Listed
        title={t('home.recent.dashboards')}
        empty={t('home.recent.noDashboards')}
        rows={data?.dashboards}
      >
        {({ dashboardId, name, changedAt }) => (
          <Row key={dashboardId} to={addresses.dashboard(dashboardId)} name={name} at={changedAt} now={now} />
        )}
      </Listed>
      <Listed
        title={t('home.recent.running')}
        empty={t('home.recent.noneRunning')}
        note={data && !data.ofEveryone ? t('home.recent.ownOnly') : ''}
        rows={data?.running}
      >
        {({ queryId, sql, acceptedAt, waits, progress, user }) => (
          <Row key={queryId} to={addresses.statement(queryId)} name={sql} at={acceptedAt} now={now} isCode>
            <StateDot tone="accent" pulse={!waits}>
              {waits
                ? t('home.recent.waits')
                : progress === null
                  ? t('home.recent.runs')
                  : t('home.recent.runsTo', { percent: Math.round(progress) })}
            </StateDot>
            {data?.ofEveryone && <span>{user}</span>}
          </Row>
        )}
      </Listed>
      <Listed
        title={t('home.recent.failures')}
        empty={t('home.recent.noFailures')}
        note={data && !data.ofEveryone ? t('home.recent.ownOnly') : ''}
        rows={data?.failures}
      >
        {(failure) => (
          <Row key={failure.id} to={addresses.failure(failure)} name={failure.name} at={failure.at} now={now}>
            <StateDot tone="err">{t(`home.recent.kinds.${failure.kind}`)}</StateDot>
            <span className={styles['why']} title={failure.error}>
              {failure.error}
            </span>
          </Row>
        )}
      </Listed>
    </div>
  )
}

interface ListedProps<R> {
  readonly title: string
  readonly empty: string
  /** Why others may see more. */
  readonly note?: string
  /** Undefined: not here yet. */
  readonly rows: readonly R[] | undefined
  readonly children: (row: R) => ReactNode
}

function Listed<R>({ title, empty, note = '', rows, children }: ListedProps<R>) {
  return (
    <Panel title={title}>
      {!rows && <Skeleton height={60} />}
      {rows?.length === 0 && <p className={styles['nothing']}>{empty}</p>}
      {rows && rows.length > 0 && <ul className={styles['rows']}>{rows.map(children)}</ul>}
      {note && <p className={styles['nothing']}>{note}</p>}
    </Panel>
  )
}

interface RowProps {
  readonly to: string
  readonly name: string
  readonly at: string
  /** When it was looked at. */
  readonly now: number
  readonly isCode?: boolean
  readonly children?: ReactNode
}

function Row({ to, name, at, now, isCode = false, children }: RowProps) {
  return (
    <li className={styles['row']}>
      <Link to={to} className={styles['rowName']} title={name}>
        {isCode ? <code>{name}</code> : name}
      </Link>
      <span className={styles['rowFacts']}>
        {children}
        <time dateTime={at} title={formatDateTime(at)}>
          {formatRelative(at, now)}
        </time>
      </span>
    </li>
  )
}
