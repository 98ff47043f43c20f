import type { QueryComment } from '@boathouse/contract/editor-comments'
import { refuse, type StubHandlers } from '../../../testing/stub-server.ts'
import type { EditorState } from './editor-state.ts'

/** Calls about comments on the lines of a query. */
export function commentCalls(state: Pick<EditorState, 'refusesComments'>): StubHandlers {
  let list: QueryComment[] = []
  return {
    'editor.comments': () => ({ list }),
    'editor.addComment': ({ commentId, replyTo, line, quote, text }) => {
      if (state.refusesComments) return refuse('LimitReached', 'There are too many comments.')
      const written = { userName: 'ann', isOwn: true, createdAt: '2026-01-01T00:00:00Z', isResolved: false }
      list = [...list, { commentId, replyTo, line, quote, text, ...written }]
      return {}
    },
    'editor.resolveComment': ({ commentId, isResolved }) => {
      list = list.map((one) => (one.commentId === commentId ? { ...one, isResolved } : one))
      return {}
    },
    'editor.deleteComment': ({ commentId }) => {
      list = list.filter((one) => one.commentId !== commentId && one.replyTo !== commentId)
      return {}
    },
  }
}
