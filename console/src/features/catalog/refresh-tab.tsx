import { LIMITS } from '@boathouse/contract/limits'
import type { MaterializedViewDetail, TaskRun } from '@boathouse/contract/materialized-views'
import { schema } from '@boathouse/contract/schema'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { formatCount, formatDateTime, formatDuration } from '../../lib/format.ts'
import { SqlBlock } from '../../statement/sql-block.tsx'
import { DataTable, Panel, Properties, Skeleton, Stack, StateDot, type TableColumn } from '../../ui/index.ts'
import styles from './catalog.module.css'
import { FetchFailed } from './fetch-failed.tsx'
import { isUnderWay, LOOK_MS, RUN_TONES, tookMs, viewOf } from './refreshes.ts'
import type { ThisObject } from './this-object.ts'

/** How a materialized view is refreshed, what it is made of, and how its refreshes went. */
export function RefreshTab({ of }: { of: ThisObject }) {
  const options = { silent: true }
  const { data, error, refetch } = useCall(schema.materializedView, viewOf(of), {
    ...options,
    refetchInterval: ({ state }) => isUnderWay(state.data?.lastRun) && LOOK_MS,
  })
  if (error)
    return <FetchFailed error={error} what={t('catalog.materialized.state')} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={220} />
  return (
    <Stack>
      <Panel title={t('catalog.materialized.state')}>
        <Properties items={propertiesOf(data)} />
      </Panel>
      {data.query ? (
        <SqlBlock label={t('catalog.materialized.definition')} sql={data.query} />
      ) : (
        <p className={styles['note']}>{t('catalog.materialized.hiddenQuery')}</p>
      )}
      <Runs of={of} isUnderWay={isUnderWay(data.lastRun)} />
    </Stack>
  )
}

const at = (time: string | null, otherwise: string) => (time === null ? otherwise : formatDateTime(time))

const propertiesOf = (view: MaterializedViewDetail) => {
  const none = t('catalog.none')
  return [
    [t('catalog.materialized.property.how'), <code key="how">{view.refresh}</code>],
    [
      t('catalog.materialized.property.state'),
      <StateDot key="state" tone={view.paused ? 'warn' : 'ok'}>
        {view.paused ? t('catalog.materialized.paused') : t('catalog.materialized.active')}
      </StateDot>,
    ],
    [t('catalog.materialized.property.refreshed'), at(view.refreshedAt, t('catalog.materialized.never'))],
    ...(view.trigger === 'changes'
      ? [[t('catalog.materialized.property.changed'), at(view.changedAt, none)] as const]
      : []),
    ...(view.trigger === 'manual'
      ? []
      : [[t('catalog.materialized.property.next'), at(view.nextRefreshAt, none)] as const]),
    [t('catalog.materialized.property.owner'), view.owner ?? t('catalog.materialized.ownerGone')],
    [
      t('catalog.materialized.property.warehouse'),
      view.warehouse || t('catalog.materialized.defaultWarehouse'),
    ],
    [t('catalog.materialized.property.created'), formatDateTime(view.createdAt)],
  ] as const
}

function Runs({ of, isUnderWay: runs }: { of: ThisObject; isUnderWay: boolean }) {
  const { data, error, refetch } = useCall(
    schema.refreshTasks,
    { ...viewOf(of), limit: LIMITS.taskRunsPerView },
    { silent: true, refetchInterval: runs && LOOK_MS },
  )
  const label = t('catalog.materialized.runs')
  if (error) return <FetchFailed error={error} what={label} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={160} />
  return <DataTable label={label} columns={columns()} rows={data.list} rowKey={({ runId }) => runId} />
}

const columns = (): readonly TableColumn<TaskRun>[] => [
  {
    key: 'state',
    header: t('catalog.materialized.column.state'),
    cell: ({ state }) => (
      <StateDot tone={RUN_TONES[state]} pulse={state === 'running'}>
        {t(`catalog.materialized.run.${state}`)}
      </StateDot>
    ),
  },
  {
    key: 'reason',
    header: t('catalog.materialized.column.reason'),
    cell: ({ reason }) => t(`catalog.materialized.reason.${reason}`),
  },
  {
    key: 'by',
    header: t('catalog.materialized.column.by'),
    cell: ({ startedBy }) => startedBy ?? t('catalog.materialized.service'),
  },
  {
    key: 'began',
    header: t('catalog.materialized.column.began'),
    cell: ({ createdAt }) => formatDateTime(createdAt),
  },
  {
    key: 'took',
    header: t('catalog.materialized.column.took'),
    align: 'end',
    cell: (run) => {
      const took = tookMs(run)
      return took === null ? t('catalog.none') : formatDuration(took)
    },
  },
  {
    key: 'rows',
    header: t('catalog.materialized.column.rows'),
    align: 'end',
    cell: ({ rows }) => (rows === null ? t('catalog.none') : formatCount(rows)),
  },
  {
    key: 'error',
    header: t('catalog.materialized.column.error'),
    leastPx: 160,
    cell: ({ error }) => (error ? <span title={error}>{error}</span> : t('catalog.none')),
  },
]
