import { dashboard as calls, type NewTile } from '@boathouse/contract/dashboard'
import { type ChartSettings } from '@boathouse/contract/editor'
import { warehouse } from '@boathouse/contract/warehouse'
import '../../../i18n/dashboards.ts'
import { t } from '../../../i18n/texts.ts'
import { useAction, useCall } from '../../../lib/api.ts'
import { Button, Menu, type MenuEntry, notify } from '../../../ui/index.ts'
import { useEditorRuntime } from '../editor-runtime.ts'

interface Props {
  readonly tabId: string
  /** The statement whose rows are drawn. */
  readonly sql: string
  readonly settings: ChartSettings
}

/** What the menu offers at once; the others are opened on their own page. */
const MOST_LISTED = 10

/** Copies the chart with its statement and its place to a dashboard of one's own. */
export function AddToDashboard({ tabId, sql, settings }: Props) {
  const { store } = useEditorRuntime()
  const { data } = useCall(calls.list, { isOwn: true, limit: MOST_LISTED }, { silent: true, staleTime: 0 })
  const warehouses = useCall(warehouse.list, {}, { silent: true }).data?.warehouses ?? []
  const create = useAction(calls.create, { refreshes: [calls.list] })
  const add = useAction(calls.addTile, { refreshes: [calls.list, calls.detail] })
  const put = async (known: { readonly dashboardId: string; readonly name: string } | null) => {
    const tab = store.tab(tabId)
    if (!tab) return
    const tile: NewTile = {
      title: tab.tabName,
      kind: settings.kind === 'number' ? 'number' : 'chart',
      text: '',
      sql,
      catalog: tab.catalog,
      database: tab.database,
      warehouseId: warehouses.find(({ name }) => name === tab.warehouse)?.warehouseId ?? null,
      tabId,
      chart: { ...settings, shown: true },
    }
    try {
      const to =
        known ?? (await create.mutateAsync({ name: tab.tabName || t('dashboards.add.usualName') })).dashboard
      await add.mutateAsync({ dashboardId: to.dashboardId, tile, parameters: [...tab.parameters] })
      notify({ tone: 'ok', message: t('dashboards.add.done', { name: to.name }) })
    } catch {
      // What was refused is said by a toast.
    }
  }
  const own = data?.dashboards ?? []
  const entries: MenuEntry[] = [
    { label: t('dashboards.add.new'), onSelect: () => void put(null) },
    ...(own.length > 0
      ? ([{ kind: 'divider' }, { kind: 'heading', label: t('dashboards.add.yours') }] as const)
      : []),
    ...own.map((one) => ({ label: one.name, onSelect: () => void put(one) })),
  ]
  return (
    <Menu
      label={t('dashboards.add.button')}
      entries={entries}
      trigger={
        <Button size="sm" loading={create.isPending || add.isPending}>
          {t('dashboards.add.button')}
        </Button>
      }
    />
  )
}
