import { useMemo, useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { isTexts, useKept } from '../../../lib/kept.ts'
import { IconButton } from '../../../ui/index.ts'
import type { MenuEntry } from '../../../ui/index.ts'
import { Tree } from '../../../ui/tree/tree.tsx'
import type { ActedBy, TreeDrag, TreeMenu } from '../../../ui/tree/tree.tsx'
import { IconFileText, IconFolder, IconFolderOpen, IconFolderPlus, IconPlus, IconTrash } from '../icons.ts'
import { PanelFailure, PanelLoading, PanelNote, SidePanel } from '../side-panel.tsx'
import { useKeptQueries } from './kept-queries.ts'
import { allTabs, filterTree, treeRows } from './query-tree.ts'
import type { QueryRow } from './query-tree.ts'
import type { Asked } from './query-dialogs.tsx'
import { listFolders } from './tree-changes.ts'
import type { OpenTab } from './use-open-tab.ts'

interface Props {
  readonly opened: OpenTab
  /** What needs a dialog. */
  readonly onAsk: (asked: Asked) => void
}

const NOTHING_CLOSED: readonly string[] = []

/** EDITOR-03, EDITOR-05, EDITOR-06: F2 renames, Shift+F2 moves, Delete deletes, Shift+F10 or the menu key opens the menu of a row. */
export function SavedQueries({ opened, onAsk }: Props) {
  const { tree, actions } = opened
  const [filter, setFilter] = useState('')
  const used = useKeptQueries()
  const [closed, setClosed] = useKept('closed-folders', NOTHING_CLOSED as string[], isTexts)
  const text = filter.trim()
  // While something is looked for, every folder that holds a match is open.
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
  const drag: TreeDrag<QueryRow> = {
    canMove: () => true,
    canDrop: (id, on) => {
      const target = folderOf(on)
      const own = tabs.find((tab) => tab.bizId === id)
      if (own) return own.parentId !== target
      const folder = folders.find((one) => one.id === id)
      const isAbove = folders.find((one) => one.id === target)?.ids.includes(id) ?? false
      return folder !== undefined && !isAbove && (folder.ids.at(-2) ?? '') !== target
    },
    onDrop: (id, on) => {
      const isTab = tabs.some((tab) => tab.bizId === id)
      void (isTab ? actions.moveTab(id, folderOf(on)) : actions.moveFolder(id, folderOf(on)))
    },
  }
  const entriesOf = (row: QueryRow): MenuEntry[] => {
    const moveEntry: MenuEntry = {
      label: t('editor.queries.move'),
      hint: 'Shift + F2',
      onSelect: () => move(row),
    }
    const edit: MenuEntry[] = [
      { label: t('editor.queries.rename'), hint: 'F2', onSelect: () => rename(row) },
      moveEntry,
      { kind: 'divider' },
      { label: t('editor.queries.delete'), hint: 'Del', danger: true, onSelect: () => remove(row) },
    ]
    if (row.kind === 'folder')
      return [
        { label: t('editor.queries.create'), onSelect: () => opened.createTab(row.id) },
        {
          label: t('editor.queries.createFolder'),
          onSelect: () => onAsk({ kind: 'newFolder', id: row.id, name: '' }),
        },
        ...edit,
      ]
    const isOpen = tabs.some((tab) => tab.bizId === row.id && !tab.hidden)
    return [
      isOpen
        ? { label: t('editor.tabs.close'), onSelect: () => void opened.closeTab(row.id) }
        : { label: t('editor.queries.open'), onSelect: () => opened.openTab(row.id) },
      ...edit,
    ]
  }

  const menu: TreeMenu<QueryRow> = {
    label: ({ name }) => t('editor.queries.actions', { name }),
    entries: entriesOf,
  }

  return (
    <SidePanel
      title={t('editor.queries.title')}
      actions={
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
      }
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
          onAct={act}
          onToggle={toggle}
          onKey={key}
          drag={drag}
          menu={menu}
        />
      )}
    </SidePanel>
  )
}

/** What is dropped on a query goes where that is. */
const folderOf = (on: QueryRow | null): string => (on?.kind === 'folder' ? on.id : (on?.parentId ?? ''))

function iconOf({ expanded }: QueryRow) {
  const Icon = expanded === null ? IconFileText : expanded ? IconFolderOpen : IconFolder
  return <Icon size={15} stroke={1.6} aria-hidden />
}
