import type { Output } from '@boathouse/contract/call'
import { usage } from '@boathouse/contract/usage'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { formatSeconds } from '../../lib/format.ts'
import { DataTable, ErrorState, Pager, Panel, Skeleton, type TableColumn } from '../../ui/index.ts'

const PAGE_SIZE = 50

type Row = Output<typeof usage.details>['rows'][number]

interface Props {
  readonly month: string
  readonly accountId: string | undefined
  readonly showsAccount: boolean
}

/** By day, warehouse or storage, size and price. */
export function UsageDetails({ month, accountId, showsAccount }: Props) {
  const [page, setPage] = useState(1)
  const { data, isError, refetch } = useCall(
    usage.details,
    { month, page, pageSize: PAGE_SIZE, ...(accountId ? { accountId } : {}) },
    { silent: true, placeholderData: (before) => before },
  )
  const columns: TableColumn<Row>[] = [
    { key: 'day', header: t('usage.columns.day'), cell: ({ date }) => date },
    ...(showsAccount
      ? [{ key: 'account', header: t('usage.columns.account'), cell: ({ account }: Row) => account }]
      : []),
    {
      key: 'warehouse',
      header: t('usage.columns.warehouse'),
      cell: ({ warehouseId, warehouse }) =>
        warehouseId === null ? t('usage.explain.storage') : warehouse || t('usage.unnamed'),
    },
    { key: 'size', header: t('usage.columns.size'), cell: ({ size }) => size },
    {
      key: 'charged',
      header: t('usage.columns.charged'),
      align: 'end',
      cell: ({ warehouseId, chargedSeconds }) => (warehouseId === null ? '' : formatSeconds(chargedSeconds)),
    },
    {
      key: 'amount',
      header: t('usage.explain.amount'),
      align: 'end',
      cell: ({ ccu, gbMonths }) =>
        gbMonths === null ? t('usage.ccu', { ccu }) : t('usage.explain.gb', { gb: gbMonths }),
    },
    { key: 'price', header: t('usage.explain.price'), align: 'end', cell: ({ price }) => price },
    { key: 'usd', header: t('usage.columns.usd'), align: 'end', cell: ({ usd }) => usd },
  ]
  return (
    <Panel title={t('usage.details')}>
      {isError && <ErrorState title={t('usage.failed')} onRetry={() => void refetch()} />}
      {!data && !isError && <Skeleton height={120} />}
      {data && (
        <>
          <DataTable
            inPanel
            label={t('usage.details')}
            rows={data.rows}
            rowKey={(row) => [row.date, row.accountId, row.warehouseId, row.size, row.price].join()}
            columns={columns}
          />
          <Pager
            label={t('usage.details')}
            page={page}
            pageSize={PAGE_SIZE}
            total={data.total}
            onPage={setPage}
          />
        </>
      )}
    </Panel>
  )
}
