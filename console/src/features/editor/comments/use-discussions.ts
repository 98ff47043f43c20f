import { commentCalls, CommentsChanged } from '@boathouse/contract/editor-comments'
import type { GlobalEvent } from '@boathouse/contract/realtime'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { queryKeyOf, useCall } from '../../../lib/api.ts'
import { useSettled } from '../../../lib/settled.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { useEditorState } from '../tabs/editor-store.ts'
import { discussionsIn } from './comment-lines.ts'

const COMMENTED: GlobalEvent = 'GlobalEventTypeEditorComments'

/** What people say about the lines of a query, where those lines are now. */
export function useDiscussions(tabId: string) {
  const { store, realtime } = useEditorRuntime()
  const queries = useQueryClient()
  const answer = useCall(commentCalls.comments, { tabId }, { silent: true })
  useEffect(() => {
    const look = () =>
      void queries.invalidateQueries({ queryKey: queryKeyOf(commentCalls.comments, { tabId }) })
    const stops = [
      realtime.on('event', ({ type, data }) => {
        if (type === COMMENTED && CommentsChanged.safeParse(data).data?.tabId === tabId) look()
      }),
      // What came while the channel was down is not sent again.
      realtime.on('status', (status) => {
        if (status === 'open') look()
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [tabId, realtime, queries])
  const text = useSettled(useEditorState(store, ({ tabs }) => tabs[tabId]?.sql ?? ''))
  const list = answer.data?.list
  const discussions = useMemo(() => discussionsIn(text, list ?? []), [text, list])
  return { discussions, isLoading: answer.isPending, error: answer.error, reload: answer.refetch }
}
