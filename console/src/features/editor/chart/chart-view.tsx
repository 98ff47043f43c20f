import { CHART_KINDS, type ChartSettings } from '@boathouse/contract/editor'
import { LIMITS } from '@boathouse/contract/limits'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent, PointerEvent } from 'react'
import '../../../i18n/chart.ts'
import { t } from '../../../i18n/texts.ts'
import { EmptyState, Segmented, Select } from '../../../ui/index.ts'
import { overWords } from '../rows/over-words.ts'
import { grouped } from '../rows/view/display.ts'
import type { ResultView } from '../rows/view/use-result-view.ts'
import { chartData, fittingSettings } from './chart-data.ts'
import type { ChartData } from './chart-data.ts'
import { nearestPoint, placesOf, Plot, scaleOf } from './plot.tsx'
import type { Box } from './plot.tsx'
import styles from './chart.module.css'

interface Props {
  readonly kept: ChartSettings | null
  readonly view: ResultView
  readonly onChange: (settings: ChartSettings) => void
}

const exact = (count: number): string => count.toLocaleString('en-US')

/** The rows as a picture. What is sorted, filtered or hidden among the rows is so here, too. */
export function ChartView({ kept, view, onChange }: Props) {
  const { columns, grid } = view
  const count = view.rowsHere
  const settings = useMemo(() => fittingSettings(kept, columns, count), [kept, columns, count])
  const data = useMemo(
    () => chartData(settings, { columns, grid, rows: count }),
    [settings, columns, grid, count],
  )
  const over = overWords({ seen: count - data.left, all: grid.count, isPart: view.isPart })
  const isDrawn = data.series.length > 0 && data.points.length > 0
  return (
    <div className={styles['chart']}>
      <Settings
        settings={settings}
        view={view}
        onChange={(next) => onChange({ ...settings, ...next, shown: true })}
      />
      {!isDrawn && <EmptyState title={t('chart.nothing')}>{t('chart.nothingBody')}</EmptyState>}
      {isDrawn && settings.kind === 'number' && <BigNumber data={data} />}
      {isDrawn && settings.kind !== 'number' && (
        <Drawing key={settings.kind} kind={settings.kind} data={data} />
      )}
      {over && isDrawn && settings.kind !== 'number' && (
        <p className={styles['point-text']}>
          <span className={styles['note']}>{over}</span>
        </p>
      )}
    </div>
  )
}

interface SettingsProps {
  readonly settings: ChartSettings
  readonly view: ResultView
  readonly onChange: (change: Partial<ChartSettings>) => void
}

const NONE = ''
const SELECT_PX = 170

function Settings({ settings, view, onChange }: SettingsProps) {
  const { kind, x, y } = settings
  const names = view.columns.map(({ name }) => ({ value: name, label: name }))
  const numbers = names.filter((_, at) => view.columns[at]?.family === 'number')
  const choose = (at: number, name: string) =>
    onChange({ y: (name === NONE ? y.filter((_, own) => own !== at) : y.with(at, name)).filter(Boolean) })
  const add = (name: string) => name !== NONE && onChange({ y: [...new Set([...y, name])] })
  const mayHaveMore =
    kind !== 'number' && y.length > 0 && y.length < Math.min(LIMITS.chartSeries, numbers.length)
  return (
    <div className={styles['settings']}>
      <Segmented
        label={t('chart.kind')}
        value={kind}
        segments={CHART_KINDS.map((value) => ({ value, label: t(`chart.kinds.${value}`) }))}
        onChange={(next) => onChange({ kind: next })}
      />
      {kind !== 'number' && (
        <Select
          label={t('chart.x')}
          hideLabel
          searchable
          width={SELECT_PX}
          options={names}
          value={x}
          onChange={(next) => onChange({ x: next })}
        />
      )}
      {(kind === 'number' ? y.slice(0, 1) : y).map((name, at) => (
        <Select
          key={at}
          label={t('chart.y', { number: at + 1 })}
          hideLabel
          searchable
          width={SELECT_PX}
          options={y.length > 1 ? [{ value: NONE, label: t('chart.none') }, ...numbers] : numbers}
          value={name}
          onChange={(next) => choose(at, next)}
        />
      ))}
      {mayHaveMore && (
        <Select
          key={y.length}
          label={t('chart.add')}
          hideLabel
          searchable
          width={SELECT_PX}
          placeholder={t('chart.add')}
          options={numbers.filter(({ value }) => !y.includes(value))}
          value={null}
          onChange={add}
        />
      )}
    </div>
  )
}

function BigNumber({ data: { series, points } }: { data: ChartData }) {
  return (
    <p className={styles['number']}>
      <strong>{grouped(points[0]?.texts[0] ?? '')}</strong>
      <span className={styles['note']}>
        {series[0]}
        {points.length > 1 && `, ${t('chart.firstOf', { rows: exact(points.length) })}`}
      </span>
    </p>
  )
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }

/** Points are described one by one: the one under the pointer, or reached with the arrow keys. */
function Drawing({ kind, data }: { kind: 'bar' | 'line' | 'area' | 'scatter'; data: ChartData }) {
  const frame = useRef<HTMLDivElement>(null)
  const [box, setBox] = useState<Box>({ width: 0, height: 0 })
  const [chosen, setActive] = useState<number | null>(null)
  const active = chosen !== null && chosen < data.points.length ? chosen : null
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return undefined
    const measure = () => setBox({ width: element.clientWidth, height: element.clientHeight })
    measure()
    const resized = new ResizeObserver(measure)
    resized.observe(element)
    return () => resized.disconnect()
  }, [])
  const last = data.points.length - 1
  const press = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    const to = { Home: 0, End: last }[event.key] ?? (step && (active ?? -step) + step)
    if (to === undefined) return
    event.preventDefault()
    setActive(Math.max(0, Math.min(last, to)))
  }
  const point = (event: PointerEvent<HTMLElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect()
    setActive(nearestPoint(data, placesOf(data, box, scaleOf(kind, data)), event.clientX - left))
  }
  return (
    <>
      <PointText data={data} active={active} />
      <div
        ref={frame}
        className={styles['plotBox']}
        role="slider"
        tabIndex={0}
        aria-label={t('chart.points')}
        aria-valuemin={1}
        aria-valuemax={last + 1}
        aria-valuenow={(active ?? 0) + 1}
        aria-valuetext={pointText(data, active ?? 0)}
        onKeyDown={press}
        onPointerMove={point}
        onPointerLeave={() => setActive(null)}
      >
        {box.width > 0 && <Plot kind={kind} data={data} box={box} active={active} />}
      </div>
    </>
  )
}

function pointText({ points, series }: ChartData, at: number): string {
  const point = points[at]
  if (!point) return ''
  return `${point.label}: ${series.map((name, one) => `${name} ${point.texts[one]}`).join(', ')}`
}

/** The names of the series, with the values of the point that is looked at. */
function PointText({ data, active }: { data: ChartData; active: number | null }) {
  const point = active === null ? undefined : data.points[active]
  return (
    <p className={styles['point-text']} aria-hidden>
      {point && <b>{point.label}</b>}
      {data.series.map((name, at) => (
        <span key={name} data-series={at}>
          <i />
          <b>
            {name}
            {point && ` ${grouped(point.texts[at] ?? '')}`}
          </b>
        </span>
      ))}
    </p>
  )
}
