import type { ChartSettings } from '@boathouse/contract/editor'
import { useEditorRuntime } from '../editor-runtime.ts'
import { useEditorState } from '../tabs/editor-store.ts'
import { UNCHOSEN } from './unchosen.ts'

/** How the rows of a tab are drawn. It is kept with the query. */
export interface Chart {
  /** Null: they never were. */
  readonly settings: ChartSettings | null
  readonly isShown: boolean
  readonly show: (isShown: boolean) => void
  readonly change: (settings: ChartSettings) => void
}

export function useChart(tabId: string): Chart {
  const { store, saveChart } = useEditorRuntime()
  const settings = useEditorState(store, ({ tabs }) => tabs[tabId]?.chart ?? null)
  const change = (next: ChartSettings) => {
    store.draw(tabId, next)
    saveChart(tabId)
  }
  return {
    settings,
    isShown: settings?.shown ?? false,
    show: (shown) => change({ ...(settings ?? UNCHOSEN), shown }),
    change,
  }
}
