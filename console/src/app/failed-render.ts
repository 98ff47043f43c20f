import type { QueryClient } from '@tanstack/react-query'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { fillsPage, isCallError } from '../lib/api.ts'
import type { FailedRender } from './request-error.ts'

/** Reports every failed call that fills a page. Returns how to stop. */
function watchRenderFailures(queries: QueryClient, report: (failed: FailedRender) => void): () => void {
  return queries.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'error') return
    const error: unknown = event.action.error
    // Data that is on the screen already stays; only a page without any becomes the error page.
    const empty = event.query.state.data === undefined
    if (!isCallError(error) || !empty || !isForThisPage(error.codeName)) return
    if (fillsPage(error.call, event.query.meta)) report({ at: Date.now(), error })
  })
}

/** These have pages of their own. */
const isForThisPage = (codeName: string): boolean => codeName !== 'LoginRequired' && codeName !== 'IpBlocked'

export function useFailedRender(): readonly [FailedRender | null, () => void] {
  const queries = useQueryClient()
  const [failed, setFailed] = useState<FailedRender | null>(null)
  useEffect(() => watchRenderFailures(queries, setFailed), [queries])
  return [failed, () => setFailed(null)]
}
