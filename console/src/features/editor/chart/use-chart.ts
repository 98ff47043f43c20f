import type { ChartSettings, ResultLook } from '@boathouse/contract/editor'
import type { PivotSettings } from '@boathouse/contract/pivot'
import { UNCHOSEN } from '../../../statement/chart/unchosen.ts'
import { type Charts, lookOf } from './charts.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { useEditorState } from '../tabs/editor-store.ts'

export const RESULT_WAYS = ['rows', 'chart', 'pivot'] as const
type ResultWay = (typeof RESULT_WAYS)[number]

/** How the rows of a tab are looked at: as they are, drawn or pivoted. It is kept with the query. */
export interface Chart {
  /** Of the chart that is shown. Null: they were never drawn. */
  readonly settings: ChartSettings | null
  /** The other charts of these rows, and the place of the one that is shown among them. */
  readonly others: readonly ChartSettings[]
  readonly at: number
  /** Null: they were never pivoted. */
  readonly pivot: PivotSettings | null
  readonly way: ResultWay
  readonly show: (way: ResultWay) => void
  readonly change: (settings: ChartSettings) => void
  readonly changeCharts: (charts: Charts) => void
  readonly changePivot: (pivot: PivotSettings) => void
}

const PLAIN: ResultLook = { ...UNCHOSEN, pivot: null, isPivoted: false, otherCharts: [], chartAt: 0 }

/** Without what is kept beside the chart that is shown. */
const chartOf = ({
  pivot: _p,
  isPivoted: _i,
  otherCharts: _o,
  chartAt: _c,
  ...chart
}: ResultLook): ChartSettings => chart

export function useChart(tabId: string): Chart {
  const { store, saveChart } = useEditorRuntime()
  const look = useEditorState(store, ({ tabs }) => tabs[tabId]?.chart ?? null)
  const change = (next: Partial<ResultLook>) => {
    store.draw(tabId, { ...(look ?? PLAIN), ...next })
    saveChart(tabId)
  }
  return {
    settings: look && chartOf(look),
    others: look?.otherCharts ?? [],
    at: look?.chartAt ?? 0,
    pivot: look?.pivot ?? null,
    way: look?.isPivoted ? 'pivot' : look?.shown ? 'chart' : 'rows',
    show: (way) => change({ shown: way === 'chart', isPivoted: way === 'pivot' }),
    change: (settings) => change({ ...settings, isPivoted: false }),
    changeCharts: (charts) => change({ ...lookOf(charts), isPivoted: false }),
    changePivot: (pivot) => change({ pivot, shown: false, isPivoted: true }),
  }
}
