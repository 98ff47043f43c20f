import { CHART_KINDS, type ChartSettings } from '@boathouse/contract/editor'
import { LIMITS } from '@boathouse/contract/limits'
import { useMemo, useRef, useState } from 'react'
import '../../../i18n/chart.ts'
import { t } from '../../../i18n/texts.ts'
import { fittingSettings } from '../../../statement/chart/chart-columns.ts'
import { chartData } from '../../../statement/chart/chart-data.ts'
import type { ChartData } from '../../../statement/chart/chart-data.ts'
import { ChartPicture, isDrawable } from '../../../statement/chart/chart-picture.tsx'
import { ChartSettingsPanel } from '../../../statement/chart/chart-settings.tsx'
import { savePng, saveSvg } from '../../../statement/chart/save-picture.ts'
import styles from '../../../statement/chart/chart.module.css'
import { Button, IconButton, Menu, Segmented } from '../../../ui/index.ts'
import { IconLayoutSidebar, IconPlus } from '../../../ui/icons.ts'
import { overWords } from '../rows/over-words.ts'
import { AddToDashboard } from './add-to-dashboard.tsx'
import { ChartList } from './chart-list.tsx'
import { chartsOf, withCopy } from './charts.ts'
import type { Chart } from './use-chart.ts'
import type { ResultView } from '../rows/view/use-result-view.ts'

interface Props {
  readonly tabId: string
  /** The statement that has returned the rows. */
  readonly sql: string
  readonly chart: Chart
  readonly view: ResultView
}

const exact = (count: number): string => count.toLocaleString('en-US')

/** The rows as a picture. What is sorted, filtered or hidden among the rows is so here, too. */
export function ChartView({ tabId, sql, chart, view }: Props) {
  const { columns, grid, rowsHere: rows } = view
  const [areSettingsShown, setSettingsShown] = useState(true)
  const parts = useMemo(() => ({ columns, grid, rows }), [columns, grid, rows])
  const settings = useMemo(() => fittingSettings(chart.settings, parts), [chart.settings, parts])
  const data = useMemo(() => chartData(settings, parts), [settings, parts])
  const main = useRef<HTMLDivElement>(null)
  const isDrawn = isDrawable(data)
  const change = (next: Partial<ChartSettings>) => chart.change({ ...settings, ...next, shown: true })
  const charts = chartsOf(settings, chart)
  return (
    <div className={styles['chart']}>
      <ChartList key={tabId} charts={charts} onChange={chart.changeCharts} />
      <div className={styles['bar-of-chart']}>
        <Segmented
          label={t('chart.kind')}
          value={settings.kind}
          segments={CHART_KINDS.map((value) => ({ value, label: t(`chart.kinds.${value}`) }))}
          onChange={(kind) => change({ kind })}
        />
        <span className={styles['grow']} />
        {charts.all.length < LIMITS.charts && (
          <IconButton
            size="sm"
            label={t('chart.another')}
            onClick={() => chart.changeCharts(withCopy(charts))}
          >
            <IconPlus size={14} aria-hidden />
          </IconButton>
        )}
        {isDrawn && <AddToDashboard tabId={tabId} sql={sql} settings={settings} />}
        {isDrawn && settings.kind !== 'number' && <SaveMenu main={main} data={data} />}
        <IconButton
          size="sm"
          label={t(areSettingsShown ? 'chart.hideSettings' : 'chart.showSettings')}
          aria-expanded={areSettingsShown}
          onClick={() => setSettingsShown(!areSettingsShown)}
        >
          <IconLayoutSidebar size={14} aria-hidden />
        </IconButton>
      </div>
      <div className={styles['body']}>
        <div className={styles['main']} ref={main}>
          <ChartPicture settings={settings} data={data} />
          {isDrawn && settings.kind !== 'number' && <Notes data={data} view={view} />}
        </div>
        {areSettingsShown && <ChartSettingsPanel settings={settings} columns={columns} onChange={change} />}
      </div>
    </div>
  )
}

/** What is not in the picture. */
function Notes({ data, view }: { data: ChartData; view: ResultView }) {
  const over = overWords({ seen: view.rowsHere - data.left, all: view.grid.count, isPart: view.isPart })
  const shown = data.points.length
  const left =
    data.pointsLeft > 0
      ? t('chart.pointsLeft', { shown: exact(shown), all: exact(shown + data.pointsLeft) })
      : null
  const notes = [over, left].filter((note) => note !== null)
  if (notes.length === 0) return null
  return (
    <p className={styles['point-text']}>
      <span className={styles['note']}>{notes.join(' ')}</span>
    </p>
  )
}

function SaveMenu({ main, data }: { main: { readonly current: HTMLElement | null }; data: ChartData }) {
  const save = (as: 'svg' | 'png') => {
    const svg = main.current?.querySelector('svg')
    if (!svg) return
    const picture = { svg, series: data.series, name: 'chart' }
    if (as === 'svg') saveSvg(picture)
    else void savePng(picture)
  }
  return (
    <Menu
      label={t('chart.save')}
      width={140}
      trigger={<Button size="sm">{t('chart.save')}</Button>}
      entries={(['png', 'svg'] as const).map((as) => ({
        label: t(`chart.saveAs.${as}`),
        onSelect: () => save(as),
      }))}
    />
  )
}
