import { editor, type SavedTab } from '@boathouse/contract/editor'
import { t } from '../../../i18n/texts.ts'
import { isCallError, send } from '../../../lib/api.ts'
import { notify } from '../../../ui/index.ts'
import { lastClosed, neighbourOf } from './open-tabs.ts'
import { tabsIn } from './query-tree.ts'
import type { SavedTree } from './query-tree.ts'
import type { TextSaver } from './text-saver.ts'
import type { useTabActions } from './use-tab-actions.ts'

interface Parts {
  readonly tree: SavedTree | undefined
  readonly tabs: readonly SavedTab[]
  /** The tab that is shown. */
  readonly tabId: string | null
  readonly saver: Pick<TextSaver, 'flush' | 'setDeleted'>
  readonly actions: ReturnType<typeof useTabActions>
  readonly look: (tab: SavedTab) => void
  readonly go: (tab: { tabId: string; tabName: string }) => void
}

/** Closes, deletes and reopens tabs, and says which one is shown next. */
export function closingTabs({ tree, tabs, tabId, saver, actions, look, go }: Parts) {
  /** Shows a neighbour if one of these is shown now. */
  const leave = (ids: readonly string[]) => {
    if (tabId === null || !ids.includes(tabId)) return
    const rest = tabs.filter((tab) => tab.bizId === tabId || !ids.includes(tab.bizId))
    const next = neighbourOf(rest, tabId)
    if (next) look(next)
    else go({ tabId: '', tabName: '' })
  }

  /** Unsaved texts are sent first, so that the bin has them. */
  async function remove(ids: readonly string[], act: () => Promise<boolean>): Promise<void> {
    await saver.flush()
    saver.setDeleted(ids, true)
    const deleted = act()
    leave(ids)
    if (!(await deleted)) saver.setDeleted(ids, false)
    else if (ids.length > 0) notify({ tone: 'ok', message: t('editor.bin.moved', { count: ids.length }) })
  }

  function openSaved(id: string): void {
    const saved = tabs.find((tab) => tab.bizId === id)
    if (saved) look(saved)
  }

  return {
    /** It stays among the saved queries. */
    closeTab: async (id: string) => {
      await saver.flush()
      const hidden = actions.hide(id)
      leave([id])
      await hidden
    },
    closeOthers: async (id: string) => {
      await saver.flush()
      if (id !== tabId) openSaved(id)
      for (const tab of tabs) if (tab.bizId !== id) await actions.hide(tab.bizId)
    },
    closeToRight: async (id: string) => {
      await saver.flush()
      const closed = tabs.slice(tabs.findIndex((tab) => tab.bizId === id) + 1).map((tab) => tab.bizId)
      if (tabId !== null && closed.includes(tabId)) openSaved(id)
      for (const one of closed) await actions.hide(one)
    },
    deleteTabs: (ids: string[]) => remove(ids, () => actions.deleteTabs(ids)),
    deleteFolder: (folderId: string) => {
      const ids = tree ? tabsIn(tree, folderId) : []
      return remove(ids, () => actions.deleteFolder(folderId))
    },
    /** Opens the tab that was closed or deleted last. */
    reopenTab: async () => {
      const closed = tree && lastClosed(tree)
      try {
        const [deleted] = (await send(editor.listDeletedTabs, { limit: 1 })).list
        if (deleted && (!closed || deleted.deletedAt >= closed.closedAt)) {
          const tab = await send(editor.restoreTab, { tabId: deleted.tabId })
          await actions.refresh()
          return go(tab)
        }
      } catch (error) {
        if (!isCallError(error)) throw error
        // The call has shown why. Which tab was the last is unknown, so none is opened.
        return
      }
      if (closed) look(closed)
      else notify({ tone: 'info', message: t('editor.tabs.noneClosed') })
    },
  }
}
