import type { Call, Sent } from '@boathouse/contract/call'
import { editor } from '@boathouse/contract/editor'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { queryKeyOf, send } from '../../../lib/api.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import type { SavedTree } from './query-tree.ts'
import { changeTab, changeTabs } from './tree-changes.ts'

/** Changes of saved queries and folders: seen at once, and put right by the service's own list. */
export function useTabActions() {
  const { store } = useEditorRuntime()
  const queries = useQueryClient()
  return useMemo(() => {
    const key = queryKeyOf(editor.listTabTree, {})
    const refresh = () => queries.invalidateQueries({ queryKey: queryKeyOf(editor.listTabTree) })
    const show = (change: (tree: SavedTree) => SavedTree) =>
      queries.setQueryData<SavedTree>(key, (tree) => tree && change(tree))

    /** True when it is done; after a failure, which was shown already, the list is unchanged. */
    async function act<C extends Call>(
      call: C,
      input: Sent<C>,
      change: (tree: SavedTree) => SavedTree = (tree) => tree,
    ): Promise<boolean> {
      // At once: an answer that is still on its way must not undo what is shown.
      void queries.cancelQueries({ queryKey: key }, { revert: false, silent: true })
      show(change)
      try {
        await send(call, input)
        return true
      } catch {
        // The call itself shows the user why.
        return false
      } finally {
        await refresh()
      }
    }

    return {
      refresh,
      hide: (tabId: string) =>
        act(editor.hideTab, { tabId }, (tree) =>
          changeTab(tree, tabId, { hidden: true, active: false, closedAt: new Date().toISOString() }),
        ),
      order: (tabIds: string[]) =>
        act(editor.orderTabs, { tabIds }, (tree) =>
          changeTabs(tree, (tab) => {
            const at = tabIds.indexOf(tab.bizId)
            return at === -1 ? tab : { ...tab, position: at + 1 }
          }),
        ),
      rename: async (tabId: string, tabName: string) => {
        const isDone = await act(editor.updateTabName, { tabId, tabName }, (tree) =>
          changeTab(tree, tabId, { tabName }),
        )
        if (isDone) store.rename(tabId, tabName)
        return isDone
      },
      deleteTabs: (tabIds: string[]) =>
        act(editor.deleteTabs, { tabIds }, (tree) =>
          changeTabs(tree, (tab) => (tabIds.includes(tab.bizId) ? null : tab)),
        ),
      moveTab: (tabId: string, folderId: string) => act(editor.changeTabFolder, { tabId, folderId }),
      createFolder: (folderName: string, parentId: string) =>
        act(editor.createTabFolder, { folderName, parentId }),
      renameFolder: (folderId: string, folderName: string) =>
        act(editor.updateTabFolder, { folderId, folderName }),
      moveFolder: (folderId: string, parentId: string) =>
        act(editor.changeTabFolderParent, { folderId, parentId }),
      deleteFolder: (folderId: string) => act(editor.deleteTabFolder, { folderId }),
    }
  }, [queries, store])
}
