import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

export interface TabAddress {
  /** Null: the address names no tab. */
  readonly tabId: string | null
  readonly tabName: string
  /** Counted from 1; null: the address names none. */
  readonly line: number | null
  /** `replace` where the user did not choose anything, so that Back does not lead here again. */
  readonly go: (tab: { tabId: string; tabName: string }, options?: { replace: boolean }) => void
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Which tab the page's address names, and which of its lines: `?activeTab=<id>&tabName=<name>&line=<number>`. */
export function useTabAddress(): TabAddress {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const go = useCallback<TabAddress['go']>(
    ({ tabId, tabName }, { replace } = { replace: false }) =>
      void navigate({
        to: '.',
        // The values and the line in a link are those of its tab.
        search: ({ activeTab, values, line }: Record<string, unknown>) => ({
          activeTab: tabId,
          tabName,
          ...(activeTab === tabId && typeof values === 'string' && { values }),
          ...(activeTab === tabId && typeof line === 'string' && { line }),
        }),
        replace,
      }),
    [navigate],
  )
  const line = /^[1-9]\d{0,6}$/.exec(text(search['line']))
  return {
    tabId: text(search['activeTab']) || null,
    tabName: text(search['tabName']),
    line: line && Number(line[0]),
    go,
  }
}
