import type { SavedTab } from '@boathouse/contract/editor'
import { useEffect, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { t } from '../../../i18n/texts.ts'
import { IconButton, keyNames, StateDot } from '../../../ui/index.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { IconChevronDown, IconDots, IconLayoutSidebar, IconPlus, IconX } from '../icons.ts'
import { useEditorState } from './editor-store.ts'
import { runningRun } from './editor-tab.ts'
import { reordered } from './open-tabs.ts'
import type { OpenTab } from './use-open-tab.ts'
import { useTabMenu } from './use-tab-menu.tsx'
import styles from './tab-strip.module.css'

interface Props {
  readonly opened: OpenTab
  /** The pane at the side of the page. */
  readonly side: { readonly isOpen: boolean; readonly toggle: () => void }
  readonly onRename: (tab: SavedTab) => void
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

/** The open tabs. Arrows go from one to the next, with Alt they move it; Delete closes, F2 renames, Shift+F10 has the rest. */
export function TabStrip({ opened, side, onRename }: Props) {
  const { tabs, tabId, actions } = opened
  const [dragged, setDragged] = useState<string | null>(null)
  const menu = useTabMenu(opened, onRename)
  const row = useRef<HTMLDivElement>(null)
  const ids = tabs.map((tab) => tab.bizId)
  const shown = tabs.find((tab) => tab.bizId === tabId)

  useEffect(() => {
    row.current
      ?.querySelector('[aria-selected=true]')
      ?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
    // The shown tab may be new, or be moved by a new one.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [tabId, tabs.length])

  const moveTo = (moved: string, target: string | undefined) => {
    if (target === undefined || moved === target) return
    void actions.order(reordered(ids, moved, target))
  }
  const pressed = (event: KeyboardEvent<HTMLElement>, tab: SavedTab, at: number) => {
    const step = STEPS[event.key]
    if (step !== undefined && event.altKey) moveTo(tab.bizId, ids[at + step])
    else if (step !== undefined) focusTab(event, at + step)
    else if (event.key === 'Delete') void opened.closeTab(tab.bizId)
    else if (event.key === 'F2') onRename(tab)
    else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey))
      menu.open(tab, event.currentTarget)
    else return
    event.preventDefault()
  }
  const focusTab = (event: KeyboardEvent, at: number) => {
    const next = tabs[at]
    if (!next) return
    opened.openTab(next.bizId)
    event.currentTarget.parentElement?.querySelectorAll<HTMLElement>('[role=tab]')[at]?.focus()
  }
  return (
    <div className={styles['strip']}>
      <IconButton
        label={`${t(side.isOpen ? 'editor.side.hide' : 'editor.side.show')} (${keyNames('Mod', 'B')})`}
        size="sm"
        onClick={side.toggle}
      >
        <IconLayoutSidebar size={16} stroke={1.6} aria-hidden />
      </IconButton>
      <div ref={row} role="tablist" aria-label={t('editor.tabs.label')} className={styles['tabs']}>
        {tabs.map((tab, at) => (
          <StripTab
            key={tab.bizId}
            tab={tab}
            isShown={tab.bizId === tabId}
            isStop={tab.bizId === tabId || (!shown && at === 0)}
            dragged={dragged}
            onDrag={setDragged}
            onDrop={(moved) => moveTo(moved, tab.bizId)}
            onOpen={() => opened.openTab(tab.bizId)}
            onClose={() => void opened.closeTab(tab.bizId)}
            onRename={() => onRename(tab)}
            onKeyDown={(event) => pressed(event, tab, at)}
            onMenu={(anchor) => menu.open(tab, anchor)}
          />
        ))}
      </div>
      <IconButton
        label={t('editor.queries.create')}
        size="sm"
        onClick={() => opened.createTab()}
        aria-disabled={opened.isCreating || undefined}
      >
        <IconPlus size={16} aria-hidden />
      </IconButton>
      <IconButton label={t('editor.tabs.list')} size="sm" {...menu.button('all')}>
        <IconChevronDown size={16} aria-hidden />
      </IconButton>
      <IconButton label={t('editor.tabs.menu')} size="sm" {...menu.button('tab')}>
        <IconDots size={16} aria-hidden />
      </IconButton>
      {menu.opened}
    </div>
  )
}

interface StripTabProps {
  readonly tab: SavedTab
  readonly isShown: boolean
  /** The Tab key stops here. */
  readonly isStop: boolean
  /** The tab that is being dragged. */
  readonly dragged: string | null
  readonly onDrag: (tabId: string | null) => void
  readonly onDrop: (moved: string) => void
  readonly onOpen: () => void
  readonly onClose: () => void
  readonly onRename: () => void
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
  readonly onMenu: (anchor: HTMLElement) => void
}

function StripTab({ tab, isShown, isStop, dragged, onDrag, onDrop, onClose, ...on }: StripTabProps) {
  const { store } = useEditorRuntime()
  const database = useEditorState(store, ({ tabs }) => tabs[tab.bizId]?.database)
  return (
    <button
      type="button"
      role="tab"
      className={styles['tab']}
      aria-selected={isShown}
      tabIndex={isStop ? 0 : -1}
      title={database ? t('editor.tabs.inDatabase', { name: tab.tabName, database }) : tab.tabName}
      draggable
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        onDrag(tab.bizId)
      }}
      onDragOver={(event) => dragged !== null && event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        if (dragged !== null) onDrop(dragged)
        onDrag(null)
      }}
      onDragEnd={() => onDrag(null)}
      onClick={on.onOpen}
      onAuxClick={(event) => event.button === 1 && onClose()}
      onDoubleClick={on.onRename}
      onKeyDown={on.onKeyDown}
      onContextMenu={(event) => {
        event.preventDefault()
        on.onMenu(event.currentTarget)
      }}
    >
      <TabState tabId={tab.bizId} />
      <span className={styles['name']}>{tab.tabName}</span>
      {/* For the pointer; the keyboard has Delete, and the menu beside the tabs. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <span
        className={styles['close']}
        title={t('editor.tabs.close')}
        onClick={(event) => {
          event.stopPropagation()
          onClose()
        }}
      >
        <IconX size={13} aria-hidden />
      </span>
    </button>
  )
}

/** Shows on every tab whether it runs something or has a conflict. */
function TabState({ tabId }: { tabId: string }) {
  const { store } = useEditorRuntime()
  const isRunning = useEditorState(store, ({ tabs }) => Boolean(tabs[tabId] && runningRun(tabs[tabId])))
  const isConflict = useEditorState(store, ({ tabs }) => Boolean(tabs[tabId]?.conflict))
  if (isConflict)
    return (
      <StateDot tone="warn">
        <span className="visually-hidden">{t('editor.tabs.conflict')}</span>
      </StateDot>
    )
  if (!isRunning) return null
  return (
    <StateDot tone="accent" pulse>
      <span className="visually-hidden">{t('editor.result.state.running')}</span>
    </StateDot>
  )
}
