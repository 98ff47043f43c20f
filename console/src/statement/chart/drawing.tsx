import { useLayoutEffect, useRef, useState } from 'react'
import type { KeyboardEvent, PointerEvent } from 'react'
import { t } from '../../i18n/texts.ts'
import type { ChartData } from './chart-data.ts'
import { boxBeside, layersOf } from './chart-overlay.ts'
import { grouped } from './grouped.ts'
import { HorizontalPlot, pointAt } from './horizontal-plot.tsx'
import { type Box, type Look, nearestPoint, placesOf, Plot } from './plot.tsx'
import styles from './chart.module.css'

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }

/** Points are described one by one: the one under the pointer, or reached with the arrow keys. */
export function Drawing({ look, data }: { look: Look; data: ChartData }) {
  const frame = useRef<HTMLDivElement>(null)
  const [box, setBox] = useState<Box>({ width: 0, height: 0 })
  const [chosen, setActive] = useState<number | null>(null)
  const active = chosen !== null && chosen < data.points.length ? chosen : null
  const isHorizontal = look.kind === 'bar' && look.isHorizontal
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
    const { left, top } = event.currentTarget.getBoundingClientRect()
    const { main, hasOwnAxis } = layersOf(data, look)
    const places = placesOf(data, boxBeside(box, hasOwnAxis), main.scale)
    setActive(
      isHorizontal
        ? pointAt(data, box, event.clientY - top + event.currentTarget.scrollTop)
        : nearestPoint(data, places, event.clientX - left),
    )
  }
  const Picture = isHorizontal ? HorizontalPlot : Plot
  return (
    <>
      <PointText data={data} active={active} />
      <div
        ref={frame}
        className={styles['plotBox']}
        role="slider"
        tabIndex={0}
        aria-label={t('chart.points')}
        aria-orientation={isHorizontal ? 'vertical' : 'horizontal'}
        aria-valuemin={1}
        aria-valuemax={last + 1}
        aria-valuenow={(active ?? 0) + 1}
        aria-valuetext={pointText(data, active ?? 0)}
        onKeyDown={press}
        onPointerMove={point}
        onPointerLeave={() => setActive(null)}
      >
        {box.width > 0 && <Picture look={look} data={data} box={box} active={active} />}
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
