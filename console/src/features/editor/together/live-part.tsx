import { lazy, Suspense } from 'react'
import type { RefObject } from 'react'
import type { SqlEditorHandle } from '../text/use-editor-handle.ts'
import { useIsShared } from './use-is-shared.ts'

const LiveEditing = lazy(async () => ({ default: (await import('./live-editing.tsx')).LiveEditing }))

interface Props {
  readonly tabId: string
  readonly sqlEditor: RefObject<SqlEditorHandle | null>
}

/** Of a query that is shared, one's own or that of somebody else. Nothing, and no chunk loaded, for all others. */
export function LivePart({ tabId, sqlEditor }: Props) {
  if (!useIsShared(tabId)) return null
  return (
    <Suspense>
      <LiveEditing key={tabId} tabId={tabId} sqlEditor={sqlEditor} />
    </Suspense>
  )
}
