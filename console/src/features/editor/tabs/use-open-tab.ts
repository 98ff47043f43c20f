import { editor } from '@boathouse/contract/editor'
import { useEffect } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useAction, useCall } from '../../../lib/api.ts'
import { notify } from '../../../ui/index.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { useEditorState } from './editor-store.ts'
import { nextUntitled, tabToOpen } from './query-tree.ts'
import type { SavedTree } from './query-tree.ts'
import { useTabAddress } from './use-tab-address.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const EMPTY_TREE: SavedTree = { folders: [], tabs: [] }

/** The address says which tab is open; opening one changes the address. */
export function useOpenTab() {
  const { store, saver } = useEditorRuntime()
  const address = useTabAddress()
  const { tabId, go } = address
  const tree = useCall(editor.listTabTree, {})
  const { mutate: remember } = useAction(editor.activeTab)
  const create = useAction(editor.createTab, { refreshes: [editor.listTabTree] })

  const isReadable = tabId !== null && UUID.test(tabId)
  const detail = useCall(editor.tabDetail, { tabId: tabId ?? '' }, { enabled: isReadable, silent: true })
  const isMissing = (tabId !== null && !isReadable) || detail.error?.codeName === 'NotFound'
  const open = useEditorState(store, ({ tabs }) => (tabId === null ? undefined : tabs[tabId]))
  const lastId = useEditorState(store, ({ activeTabId }) => activeTabId)
  const openName = open?.tabName
  const isOpen = open !== undefined

  useEffect(() => {
    if (!tree.data || (tabId !== null && !isMissing)) return
    const fallback = tabToOpen(tree.data, lastId)
    if (isMissing) notify({ tone: 'warn', message: t('editor.queries.missing') })
    if (fallback) go({ tabId: fallback.bizId, tabName: fallback.tabName }, { replace: true })
  }, [tree.data, tabId, isMissing, lastId, go])

  useEffect(() => {
    if (detail.data) saver.open(detail.data)
  }, [detail.data, saver])

  useEffect(() => {
    if (tabId === null || !isOpen) return
    store.activate(tabId)
    remember({ tabId })
  }, [tabId, isOpen, store, remember])

  useEffect(() => {
    if (tabId !== null && openName !== undefined && openName !== address.tabName)
      go({ tabId, tabName: openName }, { replace: true })
  }, [tabId, openName, address.tabName, go])

  return {
    tree,
    detail,
    // What was open stays until the next text is there, so that nothing flashes.
    tabId: isOpen ? tabId : detail.isError ? null : lastId,
    isEmpty: tree.data !== undefined && tabToOpen(tree.data, null) === undefined,
    // Without the names that are taken, a new one cannot be chosen.
    isCreating: create.isPending || tree.isPending,
    openTab: (id: string) => {
      const saved = tree.data && tabToOpen(tree.data, id)
      if (saved) go({ tabId: saved.bizId, tabName: saved.tabName })
    },
    createTab: () => {
      const saved = tree.data ?? EMPTY_TREE
      create.mutate(
        { tabName: nextUntitled(saved, (number) => t('editor.queries.untitled', { number })) },
        {
          onSuccess: (tab) => {
            saver.open(tab)
            go(tab)
          },
        },
      )
    },
  }
}

export type OpenTab = ReturnType<typeof useOpenTab>
