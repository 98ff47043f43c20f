import '../../i18n/diagnose.ts'
import { hasPermission } from '@boathouse/contract/roles'
import {
  DEFAULT_WAREHOUSE_NAME,
  warehouse,
  type WarehouseAction,
  type WarehouseDetails,
} from '@boathouse/contract/warehouse'
import { t } from '../../i18n/texts.ts'
import { useAction } from '../../lib/api.ts'
import { useSession } from '../../lib/session.ts'
import {
  IconDots,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconStethoscope,
  IconTrash,
} from '../../ui/icons.ts'
import { IconButton, Menu, type MenuEntry } from '../../ui/index.ts'
import type { OpenDialog } from './warehouse-dialogs.tsx'

const PERMISSIONS: Readonly<Record<WarehouseAction, string>> = {
  resume: 'warehouse:resume',
  suspend: 'warehouse:suspend',
  resize: 'warehouse:alter',
  edit: 'warehouse:alter',
  delete: 'warehouse:drop',
}

/** What this user may do with it in its state. */
export function useAllowed(): (of: WarehouseDetails, action: WarehouseAction) => boolean {
  const perms = useSession().user?.perms ?? []
  return (of, action) =>
    of.actions.includes(action) &&
    hasPermission(perms, PERMISSIONS[action]) &&
    !(action === 'delete' && of.name === DEFAULT_WAREHOUSE_NAME)
}

export const useMayCreate = (): boolean => hasPermission(useSession().user?.perms ?? [], 'warehouse:create')

export const useResume = () =>
  useAction(warehouse.resume, { refreshes: [warehouse.list, warehouse.describe, warehouse.activity] })

interface Props {
  readonly of: WarehouseDetails
  readonly onOpen: (dialog: OpenDialog) => void
}

const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

export function WarehouseMenu({ of, onOpen }: Props) {
  const isAllowed = useAllowed()
  const resume = useResume()
  const entries: MenuEntry[] = [
    of.actions.includes('resume')
      ? {
          label: t('warehouse.action.resume'),
          icon: <IconPlayerPlay {...ICON} />,
          disabled: !isAllowed(of, 'resume'),
          onSelect: () => resume.mutate({ warehouseId: of.warehouseId }),
        }
      : {
          label: t('warehouse.action.suspend'),
          icon: <IconPlayerPause {...ICON} />,
          disabled: !isAllowed(of, 'suspend'),
          onSelect: () => onOpen({ kind: 'suspend', of }),
        },
    {
      label: t('warehouse.action.edit'),
      icon: <IconPencil {...ICON} />,
      disabled: !isAllowed(of, 'edit'),
      onSelect: () => onOpen({ kind: 'edit', of }),
    },
    {
      label: t('diagnose.action'),
      icon: <IconStethoscope {...ICON} />,
      onSelect: () => onOpen({ kind: 'diagnose', of }),
    },
    { kind: 'divider' },
    {
      label: t('warehouse.action.delete'),
      icon: <IconTrash {...ICON} />,
      danger: true,
      disabled: !isAllowed(of, 'delete'),
      onSelect: () => onOpen({ kind: 'delete', of }),
    },
  ]
  return (
    <Menu
      label={t('warehouse.actionsOf', { name: of.name })}
      width={208}
      entries={entries}
      trigger={
        <IconButton label={t('warehouse.actionsOf', { name: of.name })} size="sm">
          <IconDots size={16} aria-hidden />
        </IconButton>
      }
    />
  )
}
