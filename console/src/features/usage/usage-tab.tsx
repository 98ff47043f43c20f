import type { Output } from '@boathouse/contract/call'
import type { usage, UsageAmount } from '@boathouse/contract/usage'
import type { ReactNode } from 'react'
import { t } from '../../i18n/texts.ts'
import { formatSeconds } from '../../lib/format.ts'
import {
  Button,
  DataTable,
  EmptyState,
  Panel,
  StatCard,
  StatCards,
  type TableColumn,
} from '../../ui/index.ts'
import { costColumns } from './cost-columns.ts'
import { cents, inCcu, monthName } from './month-names.ts'
import { UsageDetails } from './usage-details.tsx'
import { UsageGraph } from './usage-graph.tsx'
import { UsagePeople } from './usage-people.tsx'
import styles from './usage.module.css'

type Summary = Output<typeof usage.summary>

interface Props {
  readonly summary: Summary
  readonly month: string
  readonly accountId: string | undefined
  readonly isOpen: boolean
  readonly onThisMonth: () => void
}

export function UsageTab({ summary, month, accountId, isOpen, onThisMonth }: Props) {
  const { total, totalUsd, storage, days, accounts, warehouses, isRoot } = summary
  const [first] = warehouses
  if (total.chargedSeconds === 0 && Number(storage.gbMonths) === 0)
    return (
      <EmptyState
        title={t('usage.emptyTitle', { month: monthName(month) })}
        actions={!isOpen && <Button onClick={onThisMonth}>{t('usage.thisMonth')}</Button>}
      >
        {t('usage.empty')}
      </EmptyState>
    )
  return (
    <div className={styles['part']}>
      <StatCards>
        <StatCard
          label={t('usage.cost')}
          value={cents(totalUsd)}
          unit="USD"
          note={t('usage.ofWhichStorage', { usd: cents(storage.usd) })}
        />
        <StatCard label={t('usage.used')} value={inCcu(total.ccu)} unit="CCU" />
        <StatCard label={t('usage.charged')} value={formatSeconds(total.chargedSeconds)} />
        <StatCard
          label={t('usage.mostCostly')}
          value={first ? first.name || t('usage.unnamed') : t('usage.none')}
          note={first && `${cents(first.usd)} USD`}
        />
      </StatCards>
      <UsageGraph days={days} isOpen={isOpen} />
      <div className={styles['two']}>
        {isRoot && accounts.length > 1 && (
          <Share
            title={t('usage.byAccount')}
            header={t('usage.columns.account')}
            rows={accounts}
            rowKey={(row) => row.accountId}
            name={(row) => row.name}
            costs={costColumns()}
          />
        )}
        <Share
          title={t('usage.byWarehouse')}
          header={t('usage.columns.warehouse')}
          rows={warehouses}
          rowKey={(row) => row.warehouseId}
          name={(row) => row.name || t('usage.unnamed')}
          costs={[{ key: 'usd', header: t('usage.columns.usd'), align: 'end', cell: (row) => row.usd }]}
        />
      </div>
      <UsagePeople month={month} accountId={accountId} showsAccount={isRoot && accounts.length > 1} />
      <UsageDetails month={month} accountId={accountId} showsAccount={isRoot && accounts.length > 1} />
    </div>
  )
}

interface ShareProps<R extends UsageAmount> {
  readonly title: string
  readonly header: string
  readonly rows: readonly R[]
  readonly rowKey: (row: R) => string
  readonly name: (row: R) => ReactNode
  readonly costs: readonly TableColumn<R>[]
}

function Share<R extends UsageAmount>({ title, header, rows, rowKey, name, costs }: ShareProps<R>) {
  const columns: TableColumn<R>[] = [
    { key: 'name', header, cell: name },
    {
      key: 'charged',
      header: t('usage.columns.charged'),
      align: 'end',
      cell: (row) => formatSeconds(row.chargedSeconds),
    },
    { key: 'ccu', header: t('usage.columns.ccu'), align: 'end', cell: (row) => row.ccu },
    ...costs,
  ]
  return (
    <Panel title={title}>
      <DataTable inPanel label={title} rows={rows} rowKey={rowKey} columns={columns} />
    </Panel>
  )
}
