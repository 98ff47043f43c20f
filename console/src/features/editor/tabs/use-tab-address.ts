import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

export interface TabAddress {
  /** Null: the address names no tab. */
  readonly tabId: string | null
  readonly tabName: string
  /** `replace` where the user did not choose anything, so that Back does not lead here again. */
  readonly go: (tab: { tabId: string; tabName: string }, options?: { replace: boolean }) => void
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Which tab the page's address names: `?activeTab=<id>&tabName=<name>`. */
export function useTabAddress(): TabAddress {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const go = useCallback<TabAddress['go']>(
    ({ tabId, tabName }, { replace } = { replace: false }) =>
      void navigate({
        to: '.',
        // The values in a link are those of its tab.
        search: ({ activeTab, values }: Record<string, unknown>) => ({
          activeTab: tabId,
          tabName,
          ...(activeTab === tabId && typeof values === 'string' && { values }),
        }),
        replace,
      }),
    [navigate],
  )
  return { tabId: text(search['activeTab']) || null, tabName: text(search['tabName']), go }
}
