import { commentCalls } from '@boathouse/contract/editor-comments'
import { useAction } from '../../../lib/api.ts'

interface Draft {
  readonly commentId: string
  readonly line: number
  readonly quote: string
  readonly text: string
  readonly replyTo: string | null
}

export interface Commenting {
  /** Rejects when it was not saved. */
  readonly add: (draft: Draft) => Promise<unknown>
  readonly resolve: (commentId: string, isResolved: boolean) => void
  readonly remove: (commentId: string) => Promise<unknown>
}

/** Writes, resolves and deletes comments of one query. */
export function useCommenting(tabId: string): Commenting {
  const changes = { refreshes: [commentCalls.comments] }
  const add = useAction(commentCalls.addComment, changes)
  const resolve = useAction(commentCalls.resolveComment, changes)
  const remove = useAction(commentCalls.deleteComment, changes)
  return {
    add: (draft) => add.mutateAsync({ tabId, ...draft }),
    resolve: (commentId, isResolved) => resolve.mutate({ tabId, commentId, isResolved }),
    remove: (commentId) => remove.mutateAsync({ tabId, commentId }),
  }
}
