import { createSession } from '@boathouse/client/session'
import type { RealtimeClient } from '@boathouse/client/realtime-client'
import { LIMITS } from '@boathouse/contract/limits'
import type { Parameter } from '@boathouse/contract/parameters'
import { newNonce } from '@boathouse/contract/signature'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { onlyReads } from '../running/only-reads.ts'
import { preparationOf } from '../running/session-preparation.ts'
import type { Tab } from '../tabs/editor-tab.ts'

const FRESH_MS = 5 * 60_000

/** The first column of its rows, on a connection of its own in the place of the tab. */
async function readOptions(realtime: RealtimeClient, tab: Tab, sql: string): Promise<string[]> {
  if (!onlyReads(sql)) throw new Error(t('parameters.onlyReads'))
  const session = createSession(realtime, newNonce())
  try {
    const preparation = preparationOf({ ...tab, isPrepared: false })
    if (preparation !== null) await session.run(preparation)
    const { result } = await session.run(sql)
    const firsts = result.flatMap(([first]) => (typeof first === 'string' ? [first] : []))
    return [...new Set(firsts)].slice(0, LIMITS.parameterOptions)
  } finally {
    session.end()
  }
}

/**
 * What can be chosen for a parameter. Its query runs when its field is used, and not before: to open a tab resumes no
 * warehouse.
 */
export function useOptions(tabId: string, { options, optionsSql }: Parameter) {
  const { store, realtime } = useEditorRuntime()
  const [isAsked, setAsked] = useState(false)
  const found = useQuery({
    queryKey: ['parameter-options', tabId, optionsSql],
    queryFn: () => {
      const tab = store.tab(tabId)
      return tab ? readOptions(realtime, tab, optionsSql) : []
    },
    enabled: isAsked && optionsSql !== '',
    staleTime: FRESH_MS,
    retry: false,
  })
  return {
    options: [...new Set([...options, ...(found.data ?? [])])],
    isLoading: found.isFetching,
    failure: found.error?.message ?? null,
    ask: () => setAsked(true),
  }
}
