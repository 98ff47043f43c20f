import { LIMITS } from '@boathouse/contract/limits'
import { t } from '../../i18n/texts.ts'
import { StateDot } from '../../ui/index.ts'
import { useEditorRuntime } from './editor-runtime.ts'
import { useEditorState } from './tabs/editor-store.ts'
import { LimitPicker } from './pickers/limit-picker.tsx'
import { useWarehouses } from './warehouse/use-warehouses.ts'
import styles from './editor-page.module.css'

/** Of the tab; the top bar of every page shows whether the console is connected. */
export function StatusBar({ tabId }: { tabId: string | null }) {
  const all = useWarehouses()
  const isNoneRunning = all?.every((one) => one.status === 'Suspended' || one.status === 'Failed') ?? false
  return (
    <footer className={styles['status']} aria-label={t('editor.status.label')}>
      {tabId !== null && <SaveState tabId={tabId} />}
      {isNoneRunning && <span role="status">{t('editor.connection.noRunningWarehouse')}</span>}
      <span className={styles['space']} />
      <Selected />
      {tabId !== null && <CursorPlace />}
      {tabId !== null && <LimitPicker tabId={tabId} />}
    </footer>
  )
}

/** Of the cells that are selected in the result. */
function Selected() {
  const { store } = useEditorRuntime()
  const summary = useEditorState(store, ({ selection }) => selection?.summary ?? null)
  if (!summary) return null
  const { cells, nulls, distinct, sum, average, min, max } = summary
  const parts = [
    t('editor.selection.cells', { count: cells, shown: cells.toLocaleString('en-US') }),
    sum !== null && t('editor.selection.sum', { value: sum }),
    average !== null && t('editor.selection.average', { value: average }),
    min !== null && t('editor.selection.min', { value: min }),
    max !== null && t('editor.selection.max', { value: max }),
    t('editor.selection.distinct', { value: distinct.toLocaleString('en-US') }),
    nulls > 0 && t('editor.selection.nulls', { value: nulls.toLocaleString('en-US') }),
  ]
  return <span role="status">{parts.filter(Boolean).join(' · ')}</span>
}

function SaveState({ tabId }: { tabId: string }) {
  const { store } = useEditorRuntime()
  const save = useEditorState(store, ({ tabs }) => tabs[tabId]?.save ?? 'saved')
  const isSample = useEditorState(store, ({ tabs }) => tabs[tabId]?.sample ?? false)
  if (isSample) return <span title={t('editor.save.sampleHint')}>{t('editor.save.sample')}</span>
  if (save === 'saved' || save === 'unsaved' || save === 'saving')
    return <span>{t(`editor.save.${save}`)}</span>
  const limit = LIMITS.sqlLength.toLocaleString('en-US')
  return (
    <span role="status" title={t(`editor.save.${save}Hint`, { limit })}>
      <StateDot tone={save === 'unkept' ? 'err' : 'warn'}>{t(`editor.save.${save}`)}</StateDot>
    </span>
  )
}

function CursorPlace() {
  const { store } = useEditorRuntime()
  const { line, column, selected } = useEditorState(store, ({ cursor }) => cursor)
  return (
    <span>
      {t('editor.status.position', { line, column })}
      {selected > 0 && ` (${t('editor.status.selected', { count: selected })})`}
    </span>
  )
}
