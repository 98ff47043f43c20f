import '../../i18n/editor.ts'
import { LAYOUT } from '@boathouse/contract/limits'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { t } from '../../i18n/texts.ts'
import { isNumber, useKept } from '../../lib/kept.ts'
import { Button, EmptyState, ErrorState, NoPermission, Spinner } from '../../ui/index.ts'
import { useEditorRuntime } from './editor-runtime.ts'
import { IconFileText } from './icons.ts'
import { nameFrom } from './schema/object-name.ts'
import type { SchemaRow } from './schema/schema-rows.ts'
import { SplitHandle } from '../../ui/split/split-handle.tsx'
import type { SqlEditorHandle } from './text/use-editor-handle.ts'
import { StatusBar } from './status-bar.tsx'
import type { TreeHandle } from '../../ui/tree/tree.tsx'
import { allTabs } from './tabs/query-tree.ts'
import { QueryDialogs } from './tabs/query-dialogs.tsx'
import type { Asked } from './tabs/query-dialogs.tsx'
import { TabStrip } from './tabs/tab-strip.tsx'
import { useEditorKeys } from './tabs/use-editor-keys.ts'
import { useOpenTab } from './tabs/use-open-tab.ts'
import type { OpenTab } from './tabs/use-open-tab.ts'
import { useTabWatch } from './tabs/use-tab-watch.ts'
import { focusNextPart, useSidePane } from './use-panes.ts'
import { usePageSign } from './running/page-sign.ts'
import { useSchemaWatch } from './refreshing/use-schema-watch.ts'
import { Workspace } from './workspace.tsx'
import styles from './editor-page.module.css'

// Loaded at once: it arrives with the text and the results, and the page is there before it.
const sideModule = import('./side.tsx')
const Side = lazy(async () => ({ default: (await sideModule).Side }))

const MIN_PANEL_PX = 150
const MAX_PANEL_PX = 480
/** F6 goes from one to the next. */
const PARTS = ['text', 'result', 'side']

/** Catalogs and saved queries at the left, the open queries with their results beside them. */
export function EditorPage() {
  const { store, runner } = useEditorRuntime()
  const opened = useOpenTab()
  const [panelWidth, setPanelWidth] = useKept<number>('side-width', LAYOUT.sidePanelPx, isNumber)
  const [asked, setAsked] = useState<Asked | null>(null)
  const sqlEditor = useRef<SqlEditorHandle>(null)
  const catalogs = useRef<TreeHandle>(null)
  useFlushOnLeave()
  useSchemaWatch()
  useTabWatch()
  usePageSign(opened.tabId)
  const page = useRef<HTMLDivElement>(null)
  const side = useSidePane()
  const [hidesResult, setHidesResult] = useState(false)
  useEditorKeys({
    opened,
    onSide: side.toggle,
    onResult: () => setHidesResult(!hidesResult),
    onStop: () => void (opened.tabId !== null && runner.stop(opened.tabId)),
    onNextPart: () => page.current && focusNextPart(page.current, PARTS),
  })
  const { tabId } = opened
  const insert = (row: SchemaRow) => {
    const tab = tabId === null ? undefined : store.tab(tabId)
    if (tab) sqlEditor.current?.insert(nameFrom(row, tab))
  }
  const showTree = () => {
    if (side.isOpen) return catalogs.current?.focus()
    // It is there to have the focus once it is drawn.
    flushSync(side.toggle)
    catalogs.current?.focus()
  }
  return (
    <div ref={page} className={styles['page']}>
      <h1 className="visually-hidden">{t('editor.title')}</h1>
      <div className={styles['columns']}>
        {side.isOpen && (
          <>
            <Suspense fallback={<div className={styles['sideToCome']} style={{ width: panelWidth }} />}>
              <Side
                opened={opened}
                width={panelWidth}
                catalogs={catalogs}
                onInsert={insert}
                onAsk={setAsked}
              />
            </Suspense>
            <SplitHandle
              label={t('editor.split.side')}
              axis="x"
              value={panelWidth}
              min={MIN_PANEL_PX}
              max={MAX_PANEL_PX}
              onChange={setPanelWidth}
            />
          </>
        )}
        <div className={styles['main']}>
          <TabStrip
            opened={opened}
            side={side}
            onRename={({ bizId, tabName }) => {
              if (opened.isOwn(bizId)) setAsked({ kind: 'renameTab', id: bizId, name: tabName })
            }}
          />
          {tabId === null ? (
            <NoTab opened={opened} />
          ) : (
            <Workspace
              tabId={tabId}
              sqlEditor={sqlEditor}
              hidesResult={hidesResult}
              onShowResult={() => setHidesResult(false)}
              onPlace={showTree}
              onVersions={() => setAsked({ kind: 'versions', id: tabId, name: '' })}
              onSchedule={() =>
                setAsked({ kind: 'schedule', id: tabId, name: store.tab(tabId)?.tabName ?? '' })
              }
              onShare={() => setAsked({ kind: 'shareTab', id: tabId, name: store.tab(tabId)?.tabName ?? '' })}
              onAssistant={(sql) => setAsked({ kind: 'assistant', id: tabId, name: sql })}
              onSnippets={(selected) => setAsked({ kind: 'snippets', id: tabId, name: selected })}
              onHistory={() => setAsked({ kind: 'history', id: tabId, name: '' })}
            />
          )}
        </div>
      </div>
      <StatusBar tabId={tabId} />
      <QueryDialogs
        asked={asked}
        opened={opened}
        onClose={() => setAsked(null)}
        onInsert={(text) => sqlEditor.current?.insert(text)}
        onInsertSnippet={(template) => sqlEditor.current?.insertSnippet(template)}
      />
    </div>
  )
}

function NoTab({ opened }: { opened: OpenTab }) {
  const { tree, detail, isEmpty, isRefused, createTab, isCreating } = opened
  if (isRefused)
    return <NoPermission title={t('editor.shared.noAccess')} text={t('editor.shared.noAccessBody')} />
  if (isEmpty) {
    const isFirst = tree.data !== undefined && allTabs(tree.data).length === 0
    const action = (
      <Button variant="primary" loading={isCreating} onClick={() => createTab()}>
        {t('editor.queries.create')}
      </Button>
    )
    return (
      <EmptyState
        icon={<IconFileText size={28} stroke={1.5} aria-hidden />}
        title={t(isFirst ? 'editor.empty.title' : 'editor.empty.closedTitle')}
        actions={action}
      >
        {t(isFirst ? 'editor.empty.body' : 'editor.empty.closedBody')}
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

/** Unsaved texts are sent when the page is hidden: it may never be shown again. */
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
