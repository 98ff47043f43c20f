import '../../i18n/warehouse.ts'
import { warehouse, WAREHOUSE_SIZES, type WarehouseDetails } from '@boathouse/contract/warehouse'
import { type ReactNode, useEffect, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { formatSeconds } from '../../lib/format.ts'
import { IconArrowsDiagonal, IconPlayerPause, IconPlayerPlay } from '../../ui/icons.ts'
import { Button, DetailPage, Page, PageHeader, Skeleton, StatCard, StatCards } from '../../ui/index.ts'
import { ActivityPanel } from './activity-panel.tsx'
import { CpuPanel } from './cpu-panel.tsx'
import { NodesPanel } from './nodes-panel.tsx'
import { StartPanel } from './start-panel.tsx'
import { UsagePanel } from './usage-panel.tsx'
import { useLiveWarehouses } from './use-live-warehouses.ts'
import { useAllowed, useResume, WarehouseMenu } from './warehouse-actions.tsx'
import { type OpenDialog, WarehouseDialogs } from './warehouse-dialogs.tsx'
import { CpuTrend } from './warehouse-load.tsx'
import { WarehouseProperties } from './warehouse-properties.tsx'
import { WarehouseState } from './warehouse-state.tsx'

interface Props {
  readonly warehouseId: string
  /** Called with its name, for everything that names the page. */
  readonly onNamed: (name: string) => void
  readonly onDeleted: () => void
  /** What runs in it now. */
  readonly statements: ReactNode
}

export function WarehouseDetailPage({ warehouseId, onNamed, onDeleted, statements }: Props) {
  useLiveWarehouses()
  const { data: found, dataUpdatedAt } = useCall(warehouse.describe, { warehouseId })
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const name = found?.name
  useEffect(() => {
    if (name) onNamed(name)
  }, [name, onNamed])
  if (!found)
    return (
      <Page>
        <Skeleton width={240} height={28} />
        <Skeleton height={88} />
        <Skeleton height={180} />
      </Page>
    )
  return (
    <DetailPage sideLabel={t('warehouse.detail.properties')} side={<WarehouseProperties of={found} />}>
      <Header of={found} now={dataUpdatedAt} onDialog={setDialog} />
      <StartPanel of={found} />
      <Figures of={found} />
      <UsagePanel warehouseId={warehouseId} />
      <CpuPanel of={found} now={dataUpdatedAt} />
      <NodesPanel of={found} />
      {statements}
      <ActivityPanel warehouseId={warehouseId} />
      <WarehouseDialogs dialog={dialog} onClose={() => setDialog(null)} onDeleted={onDeleted} />
    </DetailPage>
  )
}

interface HeaderProps {
  readonly of: WarehouseDetails
  /** When it was last loaded, in milliseconds since 1970. */
  readonly now: number
  readonly onDialog: (dialog: OpenDialog) => void
}

function Header({ of, now, onDialog }: HeaderProps) {
  const isAllowed = useAllowed()
  const resume = useResume()
  const upFor =
    of.status === 'Running' && of.resumedOn
      ? t('warehouse.detail.upFor', { duration: formatSeconds((now - Date.parse(of.resumedOn)) / 1000) })
      : null
  return (
    <PageHeader
      title={of.name}
      state={<WarehouseState of={of} />}
      facts={[of.description, upFor]}
      actions={
        <>
          {of.actions.includes('resume') ? (
            <Button
              leftIcon={<IconPlayerPlay size={16} aria-hidden />}
              disabled={!isAllowed(of, 'resume')}
              loading={resume.isPending}
              onClick={() => resume.mutate({ warehouseId: of.warehouseId })}
            >
              {t('warehouse.action.resume')}
            </Button>
          ) : (
            <Button
              leftIcon={<IconPlayerPause size={16} aria-hidden />}
              disabled={!isAllowed(of, 'suspend')}
              onClick={() => onDialog({ kind: 'suspend', of })}
            >
              {t('warehouse.action.suspend')}
            </Button>
          )}
          <Button
            variant="primary"
            leftIcon={<IconArrowsDiagonal size={16} aria-hidden />}
            disabled={!isAllowed(of, 'resize')}
            onClick={() => onDialog({ kind: 'edit', of })}
          >
            {t('warehouse.action.resize')}
          </Button>
          <WarehouseMenu of={of} onOpen={onDialog} />
        </>
      }
    />
  )
}

function Figures({ of }: { of: WarehouseDetails }) {
  const month = useCall(warehouse.usage, { warehouseId: of.warehouseId }).data?.monthToDate
  return (
    <StatCards>
      <StatCard
        label={t('warehouse.detail.price')}
        value={of.offer.pricePerHour.usd}
        unit="USD"
        note={t('warehouse.detail.priceNote', { ccu: WAREHOUSE_SIZES[of.size] })}
      />
      <StatCard
        label={t('warehouse.detail.month')}
        value={month && Number(month.usd).toFixed(2)}
        unit="USD"
        note={
          month &&
          t('warehouse.detail.monthNote', { ccu: month.ccu, idle: Number(month.idle.usd).toFixed(2) })
        }
      />
      <StatCard
        label={t('warehouse.detail.activeTime')}
        value={month && formatSeconds(month.activeSeconds)}
        note={t('warehouse.detail.activeNote')}
      />
      <StatCard
        label={t('warehouse.detail.cpu')}
        value={of.cpu ? String(of.cpu.percent) : '–'}
        unit={of.cpu ? '%' : ''}
        chart={<CpuTrend of={of} />}
        note={
          of.cpu
            ? t(of.engine.isCluster ? 'warehouse.detail.cpuNoteCluster' : 'warehouse.detail.cpuNote', {
                percent: of.cpu.hourPercent,
              })
            : t('warehouse.detail.cpuUnknown')
        }
      />
      <StatCard
        label={t('warehouse.detail.load')}
        value={String(of.running)}
        unit={t('warehouse.detail.loadUnit')}
        note={t('warehouse.detail.loadNote', { queued: of.queued, slots: of.offer.slots })}
      />
    </StatCards>
  )
}
