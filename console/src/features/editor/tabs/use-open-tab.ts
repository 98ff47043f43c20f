import type { Sent } from '@boathouse/contract/call'
import { editor, type EditorTab, type SavedTab } from '@boathouse/contract/editor'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { t } from '../../../i18n/texts.ts'
import { queryKeyOf, useAction, useCall } from '../../../lib/api.ts'
import { useNewQuery } from '../../../lib/new-query.ts'
import { notify } from '../../../ui/index.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { closingTabs } from './closing-tabs.ts'
import { openTabs } from './open-tabs.ts'
import { nextUntitled, tabToOpen } from './query-tree.ts'
import type { SavedTree } from './query-tree.ts'
import { changeTab } from './tree-changes.ts'
import { useShownTab } from './use-shown-tab.ts'
import { useTabActions } from './use-tab-actions.ts'
import { useTabAddress } from './use-tab-address.ts'

const EMPTY_TREE: SavedTree = { folders: [], tabs: [], shared: [] }
const NO_TABS: readonly SavedTab[] = []

/** The address says which tab is shown; opening a tab changes the address. */
export function useOpenTab() {
  const { store, saver } = useEditorRuntime()
  const queries = useQueryClient()
  const address = useTabAddress()
  const actions = useTabActions()
  const { tabId, go } = address
  const tree = useCall(editor.listTabTree, {})
  const { mutate: remember } = useAction(editor.activeTab)
  const create = useNewQuery()

  const { detail, isOpen, isLocal, openName, isGone, isMissing, isDeleted, isHidden, lastId } = useShownTab(
    tabId,
    tree,
  )
  const tabs = tree.data ? openTabs(tree.data) : NO_TABS
  /** Somebody gave the user a link to a query that they do not have access to: nothing else is shown for it. */
  const isRefused = isGone && address.line !== null

  useEffect(() => {
    if (!tree.data || isRefused || (tabId !== null && !isMissing && !isDeleted)) return
    if (isGone && tabId !== null && saver.reopen(tabId, address.tabName || t('editor.queries.copy'))) return
    const last = tabs.find((tab) => tab.bizId === lastId && tab.bizId !== tabId)
    const fallback = last ?? tabToOpen(tree.data, null)
    if (isMissing || isDeleted) notify({ tone: 'warn', message: t('editor.queries.missing') })
    if (fallback) go({ tabId: fallback.bizId, tabName: fallback.tabName }, { replace: true })
    else if (isDeleted) go({ tabId: '', tabName: '' }, { replace: true })
    // oxlint-disable-next-line react/exhaustive-deps
  }, [tree.data, tabId, isMissing, isGone, isRefused, isDeleted, lastId, go, saver, address.tabName])

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
    // Whether it was hidden matters once, when the tab is opened.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [tabId, isOpen, isLocal, store, saver, remember])

  useEffect(
    () =>
      saver.onCopied(({ tabId: copyId, tabName, isLost }) => {
        go({ tabId: copyId, tabName })
        if (isLost) notify({ tone: 'warn', message: t('editor.shared.keptAsCopy') })
      }),
    [saver, go],
  )

  useEffect(() => {
    if (tabId !== null && openName !== undefined && openName !== address.tabName)
      go({ tabId, tabName: openName }, { replace: true })
  }, [tabId, openName, address.tabName, go])

  const showCreated = (tab: EditorTab) => {
    saver.open(tab)
    go(tab)
  }
  const createFrom = (input: Sent<typeof editor.createTab>) => {
    if (!create.isPending) create.mutate(input, { onSuccess: showCreated })
  }
  const look = (tab: SavedTab) => go({ tabId: tab.bizId, tabName: tab.tabName })

  return {
    tree,
    detail,
    tabs,
    actions,
    // The last tab stays on the screen until the next text has arrived, so that nothing flashes.
    tabId: isOpen ? tabId : detail.isError || tabId === null ? null : lastId,
    isRefused,
    isEmpty: tree.data !== undefined && tabToOpen(tree.data, null) === undefined,
    // A new name can only be chosen when the existing ones are known.
    isCreating: create.isPending || tree.isPending,
    isOwn: (id: string) => !tree.data?.shared.some(({ bizId }) => bizId === id),
    /** Shows a tab that may not be in the list yet. */
    showTab: go,
    openTab: (id: string) => {
      const saved = tree.data && tabToOpen(tree.data, id)
      if (saved) look(saved)
    },
    createFrom,
    /** It begins where the shown one is. */
    createTab: (folderId = '') => {
      if (tree.isPending) return
      const saved = tree.data ?? EMPTY_TREE
      const tabName = nextUntitled(saved, (number) => t('editor.queries.untitled', { number }))
      const { catalog = '', database = '' } = (tabId !== null && store.tab(tabId)) || {}
      createFrom({ tabName, folderId, catalog, database })
    },
    ...closingTabs({ tree: tree.data, tabs, tabId, saver, actions, look, go }),
  }
}

export type OpenTab = ReturnType<typeof useOpenTab>
