import type { ChartSettings, ResultLook } from '@boathouse/contract/editor'
import type { PivotSettings } from '@boathouse/contract/pivot'
import { UNCHOSEN } from '../../../statement/chart/unchosen.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { useEditorState } from '../tabs/editor-store.ts'

export const RESULT_WAYS = ['rows', 'chart', 'pivot'] as const
type ResultWay = (typeof RESULT_WAYS)[number]

/** How the rows of a tab are looked at: as they are, drawn or pivoted. It is kept with the query. */
export interface Chart {
  /** Null: they were never drawn. */
  readonly settings: ChartSettings | null
  /** Null: they were never pivoted. */
  readonly pivot: PivotSettings | null
  readonly way: ResultWay
  readonly show: (way: ResultWay) => void
  readonly change: (settings: ChartSettings) => void
  readonly changePivot: (pivot: PivotSettings) => void
}

const PLAIN: ResultLook = { ...UNCHOSEN, pivot: null, isPivoted: false }

export function useChart(tabId: string): Chart {
  const { store, saveChart } = useEditorRuntime()
  const look = useEditorState(store, ({ tabs }) => tabs[tabId]?.chart ?? null)
  const change = (next: Partial<ResultLook>) => {
    store.draw(tabId, { ...(look ?? PLAIN), ...next })
    saveChart(tabId)
  }
  return {
    settings: look,
    pivot: look?.pivot ?? null,
    way: look?.isPivoted ? 'pivot' : look?.shown ? 'chart' : 'rows',
    show: (way) => change({ shown: way === 'chart', isPivoted: way === 'pivot' }),
    change: (settings) => change({ ...settings, isPivoted: false }),
    changePivot: (pivot) => change({ pivot, shown: false, isPivoted: true }),
  }
}
