import type { SavedTab } from '@boathouse/contract/editor'
import { t } from '../../../i18n/texts.ts'
import type { MenuEntry } from '../../../ui/index.ts'
import type { TreeMenu } from '../../../ui/tree/use-tree-menu.tsx'
import type { Asked } from './query-dialogs.tsx'
import type { QueryRow } from './query-tree.ts'
import type { OpenTab } from './use-open-tab.ts'

interface Parts {
  readonly opened: OpenTab
  readonly tabs: readonly SavedTab[]
  readonly onAsk: (asked: Asked) => void
  readonly rename: (row: QueryRow) => void
  readonly move: (row: QueryRow) => void
  readonly remove: (row: QueryRow) => void
}

/** The menu of a saved query or of a folder. */
export const queryMenu = (parts: Parts): TreeMenu<QueryRow> => ({
  label: ({ name }) => t('editor.queries.actions', { name }),
  entries: (row) => entriesOf(row, parts),
})

function entriesOf(row: QueryRow, { opened, tabs, onAsk, rename, move, remove }: Parts): MenuEntry[] {
  const moveEntry: MenuEntry = {
    label: t('editor.queries.move'),
    hint: 'Shift + F2',
    onSelect: () => move(row),
  }
  const share: MenuEntry = {
    label: t('editor.queries.share'),
    onSelect: () =>
      onAsk({ kind: row.kind === 'folder' ? 'shareFolder' : 'shareTab', id: row.id, name: row.name }),
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
      share,
      ...edit,
    ]
  const isOpen = tabs.some((tab) => tab.bizId === row.id && !tab.hidden)
  return [
    isOpen
      ? { label: t('editor.tabs.close'), onSelect: () => void opened.closeTab(row.id) }
      : { label: t('editor.queries.open'), onSelect: () => opened.openTab(row.id) },
    {
      label: t('editor.queries.schedule'),
      onSelect: () => onAsk({ kind: 'schedule', id: row.id, name: row.name }),
    },
    share,
    ...edit,
  ]
}
