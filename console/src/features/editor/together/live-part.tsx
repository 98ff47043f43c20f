import { editor } from '@boathouse/contract/editor'
import { lazy, Suspense } from 'react'
import type { RefObject } from 'react'
import { useCall } from '../../../lib/api.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { useEditorState } from '../tabs/editor-store.ts'
import { isCovered } from '../tabs/query-tree.ts'
import type { SqlEditorHandle } from '../text/use-editor-handle.ts'

const LiveEditing = lazy(async () => ({ default: (await import('./live-editing.tsx')).LiveEditing }))

interface Props {
  readonly tabId: string
  readonly sqlEditor: RefObject<SqlEditorHandle | null>
}

/** Of a query that is shared, one's own or that of somebody else. Nothing, and no chunk loaded, for all others. */
export function LivePart({ tabId, sqlEditor }: Props) {
  const { store } = useEditorRuntime()
  const tree = useCall(editor.listTabTree, {})
  const access = useEditorState(store, ({ tabs }) => tabs[tabId]?.access ?? 'own')
  const isShared = access !== 'own' || (tree.data !== undefined && isCovered(tree.data, tabId))
  if (!isShared) return null
  return (
    <Suspense>
      <LiveEditing key={tabId} tabId={tabId} sqlEditor={sqlEditor} />
    </Suspense>
  )
}
