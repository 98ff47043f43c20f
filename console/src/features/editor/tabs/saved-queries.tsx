import { useMemo, useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { isTexts, useKept } from '../../../lib/kept.ts'
import { IconButton } from '../../../ui/index.ts'
import { Tree } from '../../../ui/tree/tree.tsx'
import type { ActedBy } from '../../../ui/tree/tree-item.tsx'
import {
  IconFileText,
  IconFolder,
  IconFolderOpen,
  IconFolderPlus,
  IconPlus,
  IconTrash,
  IconUsers,
} from '../icons.ts'
import { PanelFailure, PanelLoading, PanelNote, SidePanel } from '../side-panel.tsx'
import { SharedSection } from '../together/shared-section.tsx'
import { useKeptQueries } from './kept-queries.ts'
import { queryDrag } from './query-drag.ts'
import { queryMenu } from './query-menu.ts'
import { allTabs, filterTree, treeRows } from './query-tree.ts'
import type { QueryRow } from './query-tree.ts'
import type { Asked } from './query-dialogs.tsx'
import { listFolders } from './tree-changes.ts'
import type { OpenTab } from './use-open-tab.ts'
import styles from '../side-panel.module.css'

interface Props {
  readonly opened: OpenTab
  /** What needs a dialog. */
  readonly onAsk: (asked: Asked) => void
}

const NOTHING_CLOSED: readonly string[] = []

/** F2 renames, Shift+F2 moves, Delete deletes, Shift+F10 or the menu key opens the menu of a row. */
export function SavedQueries({ opened, onAsk }: Props) {
  const { tree, actions } = opened
  const [filter, setFilter] = useState('')
  const used = useKeptQueries()
  const [closed, setClosed] = useKept('closed-folders', NOTHING_CLOSED as string[], isTexts)
  const text = filter.trim()
  // During a search, every folder with a match is open.
  const rows = useMemo(
    () =>
      tree.data ? treeRows(filterTree(tree.data, text), new Set(text === '' ? closed : NOTHING_CLOSED)) : [],
    [tree.data, text, closed],
  )
  const folders = useMemo(() => (tree.data ? listFolders(tree.data) : []), [tree.data])
  const tabs = useMemo(() => (tree.data ? allTabs(tree.data) : []), [tree.data])

  const toggle = (id: string) =>
    setClosed(closed.includes(id) ? closed.filter((one) => one !== id) : [...closed, id])
  const act = ({ id, kind }: QueryRow, by: ActedBy) => {
    if (by === 'double') return
    if (kind === 'folder') toggle(id)
    else opened.openTab(id)
  }
  const rename = (row: QueryRow) =>
    onAsk({ kind: row.kind === 'folder' ? 'renameFolder' : 'renameTab', id: row.id, name: row.name })
  const move = (row: QueryRow) =>
    onAsk({ kind: row.kind === 'folder' ? 'moveFolder' : 'moveTab', id: row.id, name: row.name })
  const remove = (row: QueryRow) => {
    if (row.kind === 'tab') return void opened.deleteTabs([row.id])
    onAsk({ kind: 'deleteFolder', id: row.id, name: row.name })
  }
  const key = (row: QueryRow, pressed: string): boolean => {
    if (pressed === 'F2') rename(row)
    else if (pressed === 'Shift+F2') move(row)
    else if (pressed === 'Delete') remove(row)
    else return false
    return true
  }
  const drag = queryDrag({ tabs, folders, actions })
  const menu = queryMenu({ opened, tabs, onAsk, rename, move, remove })

  return (
    <SidePanel
      title={t('editor.queries.title')}
      actions={<PanelActions opened={opened} onAsk={onAsk} />}
      filterLabel={t('editor.queries.filter')}
      filter={filter}
      onFilter={setFilter}
    >
      {used !== null && <PanelNote>{used}</PanelNote>}
      {!tree.data && !tree.isError && <PanelLoading />}
      {!tree.data && tree.isError && (
        <PanelFailure message={t('editor.queries.failed')} onRetry={() => void tree.refetch()} />
      )}
      {tree.data && rows.length === 0 && (
        <PanelNote>
          {text === '' ? t('editor.queries.empty') : t('editor.queries.noMatch', { text })}
        </PanelNote>
      )}
      {rows.length > 0 && (
        <Tree
          label={t('editor.queries.title')}
          rows={rows}
          activeId={opened.tabId}
          icon={iconOf}
          end={endOf}
          onAct={act}
          onToggle={toggle}
          onKey={key}
          drag={drag}
          menu={menu}
        />
      )}
      <SharedSection opened={opened} search={filter} />
    </SidePanel>
  )
}

function PanelActions({ opened, onAsk }: Props) {
  return (
    <>
      <IconButton
        label={t('editor.queries.create')}
        size="sm"
        onClick={() => opened.createTab()}
        aria-disabled={opened.isCreating || undefined}
      >
        <IconPlus size={16} aria-hidden />
      </IconButton>
      <IconButton
        label={t('editor.queries.createFolder')}
        size="sm"
        onClick={() => onAsk({ kind: 'newFolder', id: '', name: '' })}
      >
        <IconFolderPlus size={15} aria-hidden />
      </IconButton>
      <IconButton
        label={t('editor.bin.title')}
        size="sm"
        onClick={() => onAsk({ kind: 'bin', id: '', name: '' })}
      >
        <IconTrash size={15} aria-hidden />
      </IconButton>
    </>
  )
}

const endOf = ({ isShared }: QueryRow) =>
  isShared && (
    <span className={styles['mark']} title={t('editor.queries.isShared')}>
      <IconUsers size={14} stroke={1.6} aria-hidden />
      <span className="visually-hidden">{t('editor.queries.isShared')}</span>
    </span>
  )

function iconOf({ expanded }: QueryRow) {
  const Icon = expanded === null ? IconFileText : expanded ? IconFolderOpen : IconFolder
  return <Icon size={15} stroke={1.6} aria-hidden />
}
