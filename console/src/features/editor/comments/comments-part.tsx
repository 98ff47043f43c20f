import { lazy, Suspense } from 'react'
import type { RefObject } from 'react'
import type { SqlEditorHandle } from '../text/use-editor-handle.ts'
import { useIsShared } from '../together/use-is-shared.ts'

const Comments = lazy(async () => ({ default: (await import('./comments.tsx')).Comments }))

interface Props {
  readonly tabId: string
  readonly sqlEditor: RefObject<SqlEditorHandle | null>
  readonly isOpen: boolean
  readonly onToggle: () => void
}

/** Of a query that is shared, or whose comments are asked for. Nothing, and no chunk loaded, for all others. */
export function CommentsPart(props: Props) {
  const isShared = useIsShared(props.tabId)
  if (!isShared && !props.isOpen) return null
  return (
    <Suspense>
      <Comments key={props.tabId} {...props} />
    </Suspense>
  )
}
