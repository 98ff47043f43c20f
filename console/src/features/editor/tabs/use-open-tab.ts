import { editor, type SavedTab } from '@boathouse/contract/editor'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { t } from '../../../i18n/texts.ts'
import { isCallError, queryKeyOf, send, useAction, useCall } from '../../../lib/api.ts'
import { useNewQuery } from '../../../lib/new-query.ts'
import { notify } from '../../../ui/index.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { useEditorState } from './editor-store.ts'
import type { Tab } from './editor-tab.ts'
import { lastClosed, neighbourOf, openTabs } from './open-tabs.ts'
import { allTabs, nextUntitled, tabsIn, tabToOpen } from './query-tree.ts'
import type { SavedTree } from './query-tree.ts'
import { changeTab } from './tree-changes.ts'
import { useTabActions } from './use-tab-actions.ts'
import { useTabAddress } from './use-tab-address.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const EMPTY_TREE: SavedTree = { folders: [], tabs: [] }
const NO_TABS: readonly SavedTab[] = []

/** The address says which tab is looked at; opening one changes the address. */
export function useOpenTab() {
  const { store, saver } = useEditorRuntime()
  const queries = useQueryClient()
  const address = useTabAddress()
  const actions = useTabActions()
  const { tabId, go } = address
  const tree = useCall(editor.listTabTree, {})
  const { mutate: remember } = useAction(editor.activeTab)
  const create = useNewQuery()

  const isReadable = tabId !== null && UUID.test(tabId)
  // Each by itself: a key changes the tab, and the page around its text must not be drawn anew for it.
  const useOpen = <T>(select: (tab: Tab | undefined) => T): T =>
    useEditorState(store, ({ tabs }) => select(tabId === null ? undefined : tabs[tabId]))
  const isOpen = useOpen((tab) => tab !== undefined)
  // A tab that only this browser has is not asked for.
  const isLocal = useOpen((tab) => tab?.revision === 0)
  const openName = useOpen((tab) => tab?.tabName)
  const detail = useCall(
    editor.tabDetail,
    { tabId: tabId ?? '' },
    { enabled: isReadable && !isLocal, silent: true },
  )
  const isGone = detail.error?.codeName === 'NotFound' && !isOpen
  const isMissing = (tabId !== null && !isReadable) || isGone
  const lastId = useEditorState(store, ({ activeTabId }) => activeTabId)
  const shown =
    tree.data && tabId !== null ? allTabs(tree.data).find((one) => one.bizId === tabId) : undefined
  const isHidden = shown?.hidden ?? false
  const isListed = tree.data === undefined || tree.isFetching || shown !== undefined
  // Deleted in another window, with nothing written here since.
  const isDeleted = useOpen((tab) => !isListed && tab?.save === 'saved')
  const tabs = tree.data ? openTabs(tree.data) : NO_TABS

  useEffect(() => {
    if (!tree.data || (tabId !== null && !isMissing && !isDeleted)) return
    if (isGone && tabId !== null && saver.reopen(tabId, address.tabName || t('editor.queries.copy'))) return
    const last = tabs.find((tab) => tab.bizId === lastId && tab.bizId !== tabId)
    const fallback = last ?? tabToOpen(tree.data, null)
    if (isMissing || isDeleted) notify({ tone: 'warn', message: t('editor.queries.missing') })
    if (fallback) go({ tabId: fallback.bizId, tabName: fallback.tabName }, { replace: true })
    else if (isDeleted) go({ tabId: '', tabName: '' }, { replace: true })
    // oxlint-disable-next-line react/exhaustive-deps
  }, [tree.data, tabId, isMissing, isGone, isDeleted, lastId, go, saver, address.tabName])

  useEffect(() => {
    if (detail.data) saver.open(detail.data)
  }, [detail.data, saver])

  useEffect(() => {
    if (tabId === null || !isOpen) return
    store.activate(tabId)
    saver.shown(tabId)
    if (isLocal) return
    queries.setQueryData<SavedTree>(
      queryKeyOf(editor.listTabTree, {}),
      (known) => known && changeTab(known, tabId, { hidden: false }),
    )
    remember({ tabId }, { onSuccess: () => void (isHidden && actions.refresh()) })
    // Whether it was hidden is asked once, when the tab is opened.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [tabId, isOpen, isLocal, store, saver, remember])

  useEffect(() => saver.onCopied(go), [saver, go])

  useEffect(() => {
    if (tabId !== null && openName !== undefined && openName !== address.tabName)
      go({ tabId, tabName: openName }, { replace: true })
  }, [tabId, openName, address.tabName, go])

  const look = (tab: SavedTab) => go({ tabId: tab.bizId, tabName: tab.tabName })

  /** What is shown when these are gone. */
  const leave = (ids: readonly string[]) => {
    if (tabId === null || !ids.includes(tabId)) return
    const rest = tabs.filter((tab) => tab.bizId === tabId || !ids.includes(tab.bizId))
    const next = neighbourOf(rest, tabId)
    if (next) look(next)
    else go({ tabId: '', tabName: '' })
  }

  return {
    tree,
    detail,
    tabs,
    actions,
    // What was open stays until the next text is there, so that nothing flashes.
    tabId: isOpen ? tabId : detail.isError || tabId === null ? null : lastId,
    isEmpty: tree.data !== undefined && tabToOpen(tree.data, null) === undefined,
    // Without the names that are taken, a new one cannot be chosen.
    isCreating: create.isPending || tree.isPending,
    /** One that the list may not have yet. */
    showTab: go,
    openTab: (id: string) => {
      const saved = tree.data && tabToOpen(tree.data, id)
      if (saved) look(saved)
    },
    createTab: (folderId = '') => {
      if (create.isPending || tree.isPending) return
      const saved = tree.data ?? EMPTY_TREE
      const tabName = nextUntitled(saved, (number) => t('editor.queries.untitled', { number }))
      create.mutate(
        { tabName, folderId },
        {
          onSuccess: (tab) => {
            saver.open(tab)
            go(tab)
          },
        },
      )
    },
    /** EDITOR-63: it stays among the saved queries. */
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
    deleteTabs: (ids: string[]) => remove(ids, () => actions.deleteTabs(ids)),
    deleteFolder: (folderId: string) => {
      const ids = tree.data ? tabsIn(tree.data, folderId) : []
      return remove(ids, () => actions.deleteFolder(folderId))
    },
    /** The one that was closed or deleted last. */
    reopenTab: async () => {
      const closed = tree.data && lastClosed(tree.data)
      try {
        const [deleted] = (await send(editor.listDeletedTabs, { limit: 1 })).list
        if (deleted && (!closed || deleted.deletedAt >= closed.closedAt)) {
          const tab = await send(editor.restoreTab, { tabId: deleted.tabId })
          await actions.refresh()
          return go(tab)
        }
      } catch (error) {
        if (!isCallError(error)) throw error
        // The call has told why. Which one was the last is not known, so none is opened.
        return
      }
      if (closed) look(closed)
      else notify({ tone: 'info', message: t('editor.tabs.noneClosed') })
    },
  }

  /** What is unsaved is sent first, so that the bin has it. */
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
}

export type OpenTab = ReturnType<typeof useOpenTab>
