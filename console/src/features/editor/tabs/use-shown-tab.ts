import { editor } from '@boathouse/contract/editor'
import { useCall } from '../../../lib/api.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { useEditorState } from './editor-store.ts'
import type { Tab } from './editor-tab.ts'
import { openableTabs, type SavedTree } from './query-tree.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

interface Tree {
  readonly data: SavedTree | undefined
  readonly isFetching: boolean
}

function useOpenTabValue<T>(tabId: string | null, select: (tab: Tab | undefined) => T): T {
  const { store } = useEditorRuntime()
  return useEditorState(store, ({ tabs }) => select(tabId === null ? undefined : tabs[tabId]))
}

/** The tab that the address names: whether it exists, is open here, or was deleted elsewhere. */
export function useShownTab(tabId: string | null, tree: Tree) {
  const { store } = useEditorRuntime()
  const isReadable = tabId !== null && UUID.test(tabId)
  // One value at a time: every key changes the tab, and must not render the page around its text again.
  const isOpen = useOpenTabValue(tabId, (tab) => tab !== undefined)
  // A tab that only this browser has is not loaded.
  const isLocal = useOpenTabValue(tabId, (tab) => tab?.revision === 0)
  const isOfOthers = useOpenTabValue(tabId, (tab) => tab !== undefined && tab.access !== 'own')
  const openName = useOpenTabValue(tabId, (tab) => tab?.tabName)
  const detail = useCall(
    editor.tabDetail,
    { tabId: tabId ?? '' },
    { enabled: isReadable && !isLocal, silent: true },
  )
  const isNotFound = detail.error?.codeName === 'NotFound'
  const isGone = isNotFound && !isOpen
  const isMissing = (tabId !== null && !isReadable) || isGone
  const lastId = useEditorState(store, ({ activeTabId }) => activeTabId)
  const shown =
    tree.data && tabId !== null ? openableTabs(tree.data).find((one) => one.bizId === tabId) : undefined
  // A query of others is listed once it is open.
  const isHidden = shown?.hidden ?? isOfOthers
  const isListed = tree.data === undefined || tree.isFetching || shown !== undefined
  // Deleted in another window, or no longer shared, with no changes here since.
  const isDeleted = useOpenTabValue(
    tabId,
    (tab) => tab?.save === 'saved' && (tab.access === 'own' ? !isListed : isNotFound),
  )
  return { detail, isOpen, isLocal, openName, isGone, isMissing, isDeleted, isHidden, lastId }
}
