import { hasPermission } from '@boathouse/contract/roles'
import { type Warehouse, warehouse } from '@boathouse/contract/warehouse'
import '../../../i18n/pickers.ts'
import { t } from '../../../i18n/texts.ts'
import { useAction, useCall } from '../../../lib/api.ts'
import { useSession } from '../../../lib/session.ts'
import { MenuList } from '../../../ui/menu-list.tsx'
import { notify, StateDot } from '../../../ui/index.ts'
import type { MenuEntry } from '../../../ui/index.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { WAREHOUSE_TONES } from '../warehouse/use-warehouses.ts'
import { useOpenPill } from './open-pill.ts'
import styles from '../toolbar.module.css'

interface Props {
  readonly tabId: string
  readonly all: readonly Warehouse[]
  readonly chosen: Warehouse | undefined
}

const RESUMABLE = new Set<Warehouse['status']>(['Suspended', 'Failed'])

/** The account's warehouses with their state, size and price; the one in use can be resumed. */
export function WarehouseMenu({ tabId, all, chosen }: Props) {
  const { store, clock } = useEditorRuntime()
  const { user } = useSession()
  const sizes = useCall(warehouse.sizes, {}, { silent: true }).data?.sizes
  const resume = useAction(warehouse.resume, { refreshes: [warehouse.list] })
  const priceOf = ({ size }: Warehouse): string => {
    const usd = sizes?.find((one) => one.size === size)?.pricePerHour.usd
    return usd === undefined ? size : t('pickers.sizeAndPrice', { size, usd })
  }
  const mayResume = user !== null && hasPermission(user.perms, 'warehouse:resume')
  const canResume = chosen !== undefined && RESUMABLE.has(chosen.status) && mayResume
  const entries: MenuEntry[] = [
    ...(canResume
      ? [
          {
            label: t('editor.error.resume', { warehouse: chosen.name }),
            onSelect: () =>
              resume.mutate(
                { warehouseId: chosen.warehouseId },
                {
                  onSuccess: () =>
                    notify({ tone: 'ok', message: t('editor.error.resumed', { warehouse: chosen.name }) }),
                },
              ),
          },
          { kind: 'divider' as const },
        ]
      : []),
    { kind: 'heading', label: t('pickers.warehouse') },
    ...all.map((one) => ({
      label: <WarehouseLabel of={one} isChosen={one.name === chosen?.name} />,
      hint: priceOf(one),
      onSelect: () => store.chooseWarehouse(tabId, one.name, clock.now()),
    })),
  ]
  return (
    <MenuList
      {...useOpenPill()}
      label={t('pickers.warehouse')}
      beside={{ side: 'bottom', align: 'end' }}
      width={400}
      entries={entries}
    />
  )
}

function WarehouseLabel({ of, isChosen }: { of: Warehouse; isChosen: boolean }) {
  return (
    <span className={styles['warehouse']}>
      {isChosen ? <strong>{of.name}</strong> : of.name}
      <StateDot tone={WAREHOUSE_TONES[of.status]}>
        {t(`editor.toolbar.warehouseStates.${of.status}`)}
      </StateDot>
    </span>
  )
}
