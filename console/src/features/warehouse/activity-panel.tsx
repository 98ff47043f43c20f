import { warehouse, type WarehouseActivity } from '@boathouse/contract/warehouse'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { formatDateTime, formatRelative } from '../../lib/format.ts'
import { Button, DataTable, Panel, Skeleton, StateDot, type TableColumn } from '../../ui/index.ts'
import styles from './warehouse.module.css'

const PAGE = 20
/** As many as one call answers. */
const MOST = 100

/** Action, detail, time and result, newest first. */
export function ActivityPanel({ warehouseId }: { warehouseId: string }) {
  const [limit, setLimit] = useState(PAGE)
  const { data, dataUpdatedAt } = useCall(
    warehouse.activity,
    { warehouseId, limit },
    { placeholderData: (before) => before },
  )
  const columns = columnsAt(dataUpdatedAt)
  return (
    <Panel title={t('warehouse.detail.activity')}>
      {!data && <Skeleton height={120} />}
      {data?.activities.length === 0 && <p className={styles['note']}>{t('warehouse.detail.noActivity')}</p>}
      {data && data.activities.length > 0 && (
        <DataTable
          inPanel
          label={t('warehouse.detail.activity')}
          columns={columns}
          rows={data.activities}
          rowKey={({ activityId }) => activityId}
        />
      )}
      {data?.nextCursor && limit < MOST && (
        <Button size="sm" onClick={() => setLimit(Math.min(limit + 4 * PAGE, MOST))}>
          {t('warehouse.detail.more')}
        </Button>
      )}
    </Panel>
  )
}

function columnsAt(now: number): readonly TableColumn<WarehouseActivity>[] {
  return [
    { key: 'action', header: t('warehouse.detail.activityColumns.action'), cell: ({ action }) => action },
    {
      key: 'detail',
      header: t('warehouse.detail.activityColumns.detail'),
      leastPx: 120,
      cell: ({ detail }) => <span title={detail}>{detail}</span>,
    },
    { key: 'by', header: t('warehouse.detail.activityColumns.by'), cell: ({ actor }) => actor },
    {
      key: 'time',
      header: t('warehouse.detail.activityColumns.time'),
      cell: ({ at }) => (
        <time dateTime={at} title={formatDateTime(at)}>
          {formatRelative(at, now)}
        </time>
      ),
    },
    {
      key: 'result',
      header: t('warehouse.detail.activityColumns.result'),
      cell: ({ result }) => (
        <StateDot tone={result === 'Success' ? 'ok' : 'err'}>
          {result === 'Success' ? t('warehouse.detail.success') : t('warehouse.detail.failed')}
        </StateDot>
      ),
    },
  ]
}
