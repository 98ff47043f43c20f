import '../../i18n/warehouse.ts'
import { LIMITS } from '@boathouse/contract/limits'
import { warehouse, WAREHOUSE_SIZES, type WarehouseDetails } from '@boathouse/contract/warehouse'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { IconPlus } from '../../ui/icons.ts'
import {
  Button,
  DataTable,
  EmptyState,
  Page,
  PageHeader,
  Segmented,
  Skeleton,
  sortedRows,
  type TableColumn,
  type TableSort,
  TextField,
  Toolbar,
} from '../../ui/index.ts'
import { isIn, STATE_GROUPS, type StateGroup } from './state-groups.ts'
import { useLiveWarehouses } from './use-live-warehouses.ts'
import { useMayCreate, WarehouseMenu } from './warehouse-actions.tsx'
import { type OpenDialog, WarehouseDialogs } from './warehouse-dialogs.tsx'
import { CpuTrend, Load } from './warehouse-load.tsx'
import { sizeOf } from './warehouse-size.ts'
import { WarehouseState } from './warehouse-state.tsx'
import styles from './warehouse.module.css'

/** The part of the list that is in its address. */
interface WarehouseListSearch {
  readonly search?: string
  readonly state?: StateGroup
}

interface Props {
  readonly shown: WarehouseListSearch
  readonly onShow: (shown: WarehouseListSearch) => void
  readonly addressOf: (warehouseId: string) => string
  readonly onOpenWarehouse: (warehouseId: string) => void
}

const matches = (text: string, { name, description }: WarehouseDetails): boolean =>
  `${name}\n${description}`.toLowerCase().includes(text.trim().toLowerCase())

/** Money is text and exact; what is added up here is only shown, with two decimals. */
const sumOfPrices = (running: readonly WarehouseDetails[]): string =>
  running.reduce((sum, { offer }) => sum + Number(offer.pricePerHour.usd), 0).toFixed(2)

const RUNS = new Set<WarehouseDetails['status']>([
  'Running',
  'Scaling',
  'Expanding',
  'Updating',
  'Suspending',
  'Unknown',
])

export function WarehouseListPage({ shown, onShow, addressOf, onOpenWarehouse }: Props) {
  useLiveWarehouses()
  const all = useCall(warehouse.list, {}).data?.warehouses
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const mayCreate = useMayCreate()
  const { search = '', state = 'all' } = shown
  const running = all?.filter(({ status }) => RUNS.has(status)) ?? []
  const isFull = (all?.length ?? 0) >= LIMITS.warehousesPerAccount
  const found = all?.filter((one) => matches(search, one)) ?? []
  const create = mayCreate && (
    <Button
      variant="primary"
      leftIcon={<IconPlus size={16} aria-hidden />}
      disabled={isFull}
      onClick={() => setDialog({ kind: 'create' })}
    >
      {t('warehouse.create')}
    </Button>
  )
  return (
    <Page>
      <PageHeader
        title={t('warehouse.title')}
        facts={
          all && [
            t('warehouse.facts.count', { count: all.length, most: LIMITS.warehousesPerAccount }),
            t('warehouse.facts.running', { count: running.length }),
            t('warehouse.facts.price', { usd: sumOfPrices(running) }),
          ]
        }
      />
      <Toolbar
        action={create}
        search={
          <TextField
            label={t('warehouse.search')}
            hideLabel
            type="search"
            placeholder={t('warehouse.search')}
            value={search}
            onChange={(event) => onShow({ search: event.target.value, state })}
          />
        }
      >
        <Segmented
          label={t('warehouse.filter.label')}
          value={state}
          segments={STATE_GROUPS.map((group) => ({
            value: group,
            label: t(`warehouse.filter.${group}`),
            count: found.filter((one) => isIn(group, one)).length,
          }))}
          onChange={(chosen) => onShow({ search, state: chosen })}
        />
      </Toolbar>
      {isFull && (
        <p className={styles['note']}>{t('warehouse.limitReached', { most: LIMITS.warehousesPerAccount })}</p>
      )}
      <Found
        all={all}
        found={found.filter((one) => isIn(state, one))}
        addressOf={addressOf}
        onDialog={setDialog}
        create={create}
        onShowAll={() => onShow({})}
      />
      {all?.[0] && <p className={styles['note']}>{t('warehouse.metered', { usd: pricePerCcu(all[0]) })}</p>}
      <WarehouseDialogs dialog={dialog} onClose={() => setDialog(null)} onCreated={onOpenWarehouse} />
    </Page>
  )
}

const pricePerCcu = ({ offer, size }: WarehouseDetails): string =>
  (Number(offer.pricePerHour.usd) / WAREHOUSE_SIZES[size]).toFixed(2)

interface FoundProps {
  readonly all: readonly WarehouseDetails[] | undefined
  readonly found: readonly WarehouseDetails[]
  readonly addressOf: Props['addressOf']
  readonly onDialog: (dialog: OpenDialog) => void
  readonly create: ReactNode
  readonly onShowAll: () => void
}

function Found({ all, found, addressOf, onDialog, create, onShowAll }: FoundProps) {
  const [sort, setSort] = useState<TableSort>({ key: 'name', descending: false })
  const columns = columnsFor(addressOf, onDialog)
  if (!all) return <Skeleton height={180} />
  if (all.length === 0)
    return (
      <EmptyState title={t('warehouse.empty.title')} actions={create}>
        <p>{t('warehouse.empty.body')}</p>
      </EmptyState>
    )
  if (found.length === 0)
    return (
      <EmptyState
        title={t('warehouse.nothingFound.title')}
        actions={<Button onClick={onShowAll}>{t('warehouse.nothingFound.reset')}</Button>}
      >
        <p>{t('warehouse.nothingFound.body')}</p>
      </EmptyState>
    )
  return (
    <DataTable
      label={t('warehouse.title')}
      columns={columns}
      rows={sortedRows(found, columns, sort)}
      rowKey={({ warehouseId }) => warehouseId}
      sort={sort}
      onSort={setSort}
    />
  )
}

function columnsFor(
  addressOf: Props['addressOf'],
  onDialog: (dialog: OpenDialog) => void,
): readonly TableColumn<WarehouseDetails>[] {
  return [
    {
      key: 'name',
      header: t('warehouse.column.name'),
      sortsBy: ({ name }) => name,
      cell: ({ name, warehouseId }) => (
        <Link to={addressOf(warehouseId)} className={styles['name']}>
          {name}
        </Link>
      ),
    },
    {
      key: 'state',
      header: t('warehouse.column.state'),
      sortsBy: ({ status }) => status,
      cell: (of) => <WarehouseState of={of} />,
    },
    {
      key: 'size',
      header: t('warehouse.column.size'),
      sortsBy: ({ size }) => WAREHOUSE_SIZES[size],
      cell: sizeOf,
    },
    {
      key: 'price',
      header: t('warehouse.column.price'),
      align: 'end',
      sortsBy: ({ offer }) => Number(offer.pricePerHour.usd),
      cell: ({ offer }) => offer.pricePerHour.usd,
    },
    {
      key: 'load',
      header: t('warehouse.column.load'),
      sortsBy: ({ running, queued }) => running + queued,
      cell: (of) => <Load of={of} />,
    },
    {
      key: 'cpu',
      header: t('warehouse.column.cpu'),
      sortsBy: ({ cpu }) => cpu?.hourPercent ?? -1,
      cell: (of) => <CpuTrend of={of} withFigure />,
    },
    {
      key: 'autoSuspend',
      header: t('warehouse.column.autoSuspend'),
      sortsBy: ({ idleMinutes }) => idleMinutes ?? Number.MAX_SAFE_INTEGER,
      cell: ({ idleMinutes }) =>
        idleMinutes === null ? t('warehouse.off') : t('warehouse.minutes', { count: idleMinutes }),
    },
    {
      key: 'description',
      header: t('warehouse.column.description'),
      leastPx: 64,
      cell: ({ description }) => <span title={description}>{description}</span>,
    },
    {
      key: 'actions',
      header: t('warehouse.column.actions'),
      hideHeader: true,
      align: 'end',
      cell: (of) => <WarehouseMenu of={of} onOpen={onDialog} />,
    },
  ]
}
