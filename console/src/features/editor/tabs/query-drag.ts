import type { SavedTab } from '@boathouse/contract/editor'
import type { TreeDrag } from '../../../ui/tree/use-dragging.ts'
import type { QueryRow } from './query-tree.ts'
import type { listFolders } from './tree-changes.ts'
import type { OpenTab } from './use-open-tab.ts'

interface Parts {
  readonly tabs: readonly SavedTab[]
  readonly folders: ReturnType<typeof listFolders>
  readonly actions: Pick<OpenTab['actions'], 'moveTab' | 'moveFolder'>
}

/** A query that is dropped on another one goes into the folder of that one. */
const folderOf = (on: QueryRow | null): string => (on?.kind === 'folder' ? on.id : (on?.parentId ?? ''))

/** Saved queries and folders can be dragged into folders, but no folder into itself. */
export const queryDrag = ({ tabs, folders, actions }: Parts): TreeDrag<QueryRow> => ({
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
})
