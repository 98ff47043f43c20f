import { editor } from '@boathouse/contract/editor'
import { useCall } from '../../../lib/api.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { useEditorState } from '../tabs/editor-store.ts'
import { isCovered } from '../tabs/query-tree.ts'

/** A query of somebody else, or one's own to which others have access. */
export function useIsShared(tabId: string): boolean {
  const { store } = useEditorRuntime()
  const tree = useCall(editor.listTabTree, {})
  const access = useEditorState(store, ({ tabs }) => tabs[tabId]?.access ?? 'own')
  return access !== 'own' || (tree.data !== undefined && isCovered(tree.data, tabId))
}
