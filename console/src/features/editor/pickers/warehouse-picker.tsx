import { lazy } from 'react'
import { t } from '../../../i18n/texts.ts'
import { StateDot } from '../../../ui/index.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { useEditorState } from '../tabs/editor-store.ts'
import {
  useFreshWarehouses,
  useWarehouses,
  WAREHOUSE_TONES,
  warehouseOf,
} from '../warehouse/use-warehouses.ts'
import { Pill } from './pill.tsx'
import styles from '../toolbar.module.css'

const WarehouseMenu = lazy(async () => ({ default: (await import('./warehouse-menu.tsx')).WarehouseMenu }))

/** The tab's warehouse by name, with its state as a dot and a word; others can be chosen. */
export function WarehousePicker({ tabId }: { tabId: string }) {
  const { store } = useEditorRuntime()
  const chosen = useEditorState(store, ({ tabs }) => tabs[tabId]?.warehouse ?? '')
  const all = useWarehouses()
  useFreshWarehouses(tabId)
  if (!all) return null
  const found = warehouseOf(all, chosen)
  const status = found?.status ?? 'Unknown'
  const isBusy = WAREHOUSE_TONES[status] === 'accent'
  return (
    <Pill
      hint={found ? `${t('editor.toolbar.warehouse')}, ${found.size}` : t('editor.toolbar.warehouse')}
      menu={<WarehouseMenu tabId={tabId} all={all} chosen={found} />}
    >
      <span className="visually-hidden">{t('editor.toolbar.warehouse')}: </span>
      <span>{found?.name ?? (chosen || t('editor.toolbar.noWarehouse'))}</span>
      {found && (
        <StateDot tone={WAREHOUSE_TONES[status]} pulse={isBusy}>
          <span className={styles['muted']}>{t(`editor.toolbar.warehouseStates.${status}`)}</span>
        </StateDot>
      )}
    </Pill>
  )
}
