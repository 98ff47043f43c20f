import '../../i18n/editor.ts'
import { LAYOUT } from '@boathouse/contract/limits'
import { useEffect, useRef, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { Button, EmptyState, ErrorState, IconButton, Spinner } from '../../ui/index.ts'
import { useEditorRuntime } from './editor-runtime.ts'
import { useEditorState } from './tabs/editor-store.ts'
import { IconFileText, IconPlus } from './icons.ts'
import { nameFrom } from './schema/object-name.ts'
import type { SchemaRow } from './schema/schema-rows.ts'
import { Side } from './side.tsx'
import { SplitHandle } from '../../ui/split/split-handle.tsx'
import type { SqlEditorHandle } from './text/sql-editor.tsx'
import { StatusBar } from './status-bar.tsx'
import type { TreeHandle } from '../../ui/tree/tree.tsx'
import { useOpenTab } from './tabs/use-open-tab.ts'
import type { OpenTab } from './tabs/use-open-tab.ts'
import { useSchemaWatch } from './refreshing/use-schema-watch.ts'
import { Workspace } from './workspace.tsx'
import styles from './editor-page.module.css'

const MIN_PANEL_PX = 150
const MAX_PANEL_PX = 480

/** EDITOR-01: catalogs and saved queries at the left, the open query with its results beside them. */
export function EditorPage() {
  const { store } = useEditorRuntime()
  const opened = useOpenTab()
  const [panelWidth, setPanelWidth] = useState<number>(LAYOUT.sidePanelPx)
  const sqlEditor = useRef<SqlEditorHandle>(null)
  const catalogs = useRef<TreeHandle>(null)
  useFlushOnLeave()
  useSchemaWatch()
  const { tabId } = opened
  const insert = ({ place, name }: SchemaRow) => {
    const tab = tabId === null ? undefined : store.tab(tabId)
    if (tab) sqlEditor.current?.insert(nameFrom({ ...place, name }, tab))
  }
  return (
    <div className={styles['page']}>
      <h1 className="visually-hidden">{t('editor.title')}</h1>
      <div className={styles['columns']}>
        <Side opened={opened} width={panelWidth} catalogs={catalogs} onInsert={insert} />
        <SplitHandle
          label={t('editor.split.side')}
          axis="x"
          value={panelWidth}
          min={MIN_PANEL_PX}
          max={MAX_PANEL_PX}
          onChange={setPanelWidth}
        />
        <div className={styles['main']}>
          {tabId === null ? (
            <NoTab opened={opened} />
          ) : (
            <>
              <TabStrip tabId={tabId} onCreate={opened.createTab} isCreating={opened.isCreating} />
              <Workspace tabId={tabId} sqlEditor={sqlEditor} onPlace={() => catalogs.current?.focus()} />
            </>
          )}
        </div>
      </div>
      <StatusBar tabId={tabId} />
    </div>
  )
}

interface TabStripProps {
  readonly tabId: string
  readonly onCreate: () => void
  readonly isCreating: boolean
}

function TabStrip({ tabId, onCreate, isCreating }: TabStripProps) {
  const { store } = useEditorRuntime()
  const name = useEditorState(store, ({ tabs }) => tabs[tabId]?.tabName ?? '')
  return (
    <div className={styles['tabs']}>
      <h2 className={styles['tab']} title={name}>
        <IconFileText size={15} stroke={1.6} aria-hidden />
        <span>{name}</span>
      </h2>
      <IconButton label={t('editor.queries.create')} size="sm" onClick={onCreate} disabled={isCreating}>
        <IconPlus size={16} aria-hidden />
      </IconButton>
    </div>
  )
}

function NoTab({ opened }: { opened: OpenTab }) {
  const { detail, isEmpty, createTab, isCreating } = opened
  if (isEmpty) {
    const action = (
      <Button variant="primary" loading={isCreating} onClick={createTab}>
        {t('editor.queries.create')}
      </Button>
    )
    return (
      <EmptyState
        icon={<IconFileText size={28} stroke={1.5} aria-hidden />}
        title={t('editor.empty.title')}
        actions={action}
      >
        {t('editor.empty.body')}
      </EmptyState>
    )
  }
  if (detail.isError && detail.error.codeName !== 'NotFound')
    return (
      <ErrorState
        title={t('editor.openFailed.title')}
        what={detail.error.message}
        todo={t('editor.openFailed.todo')}
        onRetry={() => void detail.refetch()}
        details={`${detail.error.codeName}: ${detail.error.message}`}
      />
    )
  return (
    <div className={styles['loading']}>
      <Spinner label={t('editor.text.loading')} />
    </div>
  )
}

/** What is not saved yet is sent when the page is hidden: it may not come back. */
function useFlushOnLeave(): void {
  const { saver } = useEditorRuntime()
  useEffect(() => {
    const leave = () => {
      if (document.visibilityState === 'hidden') void saver.flush()
    }
    document.addEventListener('visibilitychange', leave)
    return () => {
      document.removeEventListener('visibilitychange', leave)
      void saver.flush()
    }
  }, [saver])
}
