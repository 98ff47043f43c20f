import type { ChartSettings } from '@boathouse/contract/editor'
import type { ChartData } from './chart-data.ts'
import { axisText } from './chart-format.ts'
import { boxBeside, layersOf, type OverlayLook } from './chart-overlay.ts'
import { type Scale, shareOf, stackOf } from './chart-scale.ts'
import { spansOf } from './chart-stack.ts'
import styles from './chart.module.css'

export interface Box {
  readonly width: number
  readonly height: number
}

/** What of the settings a picture depends on. */
export interface Look extends OverlayLook {
  readonly format: ChartSettings['format']
}

export interface PlotProps {
  readonly look: Look
  readonly data: ChartData
  readonly box: Box
  /** Place of the point that is looked at. */
  readonly active: number | null
}

const LEFT_PX = 56
const RIGHT_PX = 16
const TOP_PX = 12
const BOTTOM_PX = 30
/** Names that are closer would run into one another. */
const NAME_PX = 112
const NAME_CHARACTERS = 14
const WIDE_CHARACTER_PX = 8

export interface Places {
  readonly xOf: (at: number) => number
  readonly yOf: (value: number) => number
  readonly band: number
}

/** The places of the points of a chart in its box, in pixels. */
export function placesOf({ points, isMeasured }: ChartData, box: Box, scale: Scale): Places {
  const width = Math.max(1, box.width - LEFT_PX - RIGHT_PX)
  const height = Math.max(1, box.height - TOP_PX - BOTTOM_PX)
  const xs = points.map(({ x }) => x)
  const low = xs.reduce((one, other) => Math.min(one, other), Infinity)
  const high = xs.reduce((one, other) => Math.max(one, other), -Infinity)
  const band = width / Math.max(1, points.length)
  return {
    band,
    xOf: (at) =>
      isMeasured && high > low
        ? LEFT_PX + width * shareOf(points[at]?.x ?? low, { low, high })
        : LEFT_PX + band * (at + 0.5),
    yOf: (value) => TOP_PX + height * (1 - shareOf(value, scale)),
  }
}

/** The point that is nearest to a place in the box. */
export function nearestPoint(data: ChartData, { xOf }: Pick<Places, 'xOf'>, x: number): number | null {
  let nearest: number | null = null
  for (let at = 0; at < data.points.length; at++)
    if (nearest === null || Math.abs(xOf(at) - x) < Math.abs(xOf(nearest) - x)) nearest = at
  return nearest
}

export const tickText = (tick: number, look: Look): string =>
  stackOf(look) === 'percent' ? `${tick} %` : axisText(tick, look.format)

/** Grid lines, names and the series themselves. */
export function Plot({ look, data, box: whole, active }: PlotProps) {
  const { main, line, hasOwnAxis } = layersOf(data, look)
  const box = boxBeside(whole, hasOwnAxis)
  const places = placesOf(data, box, main.scale)
  const { xOf, yOf } = places
  return (
    <svg className={styles['plot']} width={whole.width} height={whole.height} aria-hidden>
      {main.scale.ticks.map((tick) => (
        <g key={tick}>
          <line
            className={styles['line']}
            x1={LEFT_PX}
            x2={box.width - RIGHT_PX}
            y1={yOf(tick)}
            y2={yOf(tick)}
          />
          <text className={styles['tick']} x={LEFT_PX - 8} y={yOf(tick) + 4} textAnchor="end">
            {tickText(tick, main.look)}
          </text>
        </g>
      ))}
      {namesBelow(data, places, box).map(({ at, name, x }) => (
        <text key={at} className={styles['tick']} x={x} y={box.height - 10} textAnchor="middle">
          {name}
        </text>
      ))}
      {active !== null && (
        <line
          className={styles['cursor']}
          x1={xOf(active)}
          x2={xOf(active)}
          y1={TOP_PX}
          y2={box.height - BOTTOM_PX}
        />
      )}
      {main.data.series.map((name, series) => (
        <g key={name} data-series={series}>
          {look.kind === 'bar' ? (
            <Bars {...main} series={series} places={places} active={active} />
          ) : (
            <Line {...main} series={series} places={places} active={active} />
          )}
        </g>
      ))}
      {line && (
        <g data-series={main.data.series.length}>
          <Line {...line} series={0} places={placesOf(line.data, box, line.scale)} active={active} />
          {hasOwnAxis && <RightAxis {...line} box={box} />}
        </g>
      )}
    </svg>
  )
}

/** The scale of the line over the bars. */
function RightAxis({ scale, data, look, box }: Pick<PlotProps, 'data' | 'look' | 'box'> & { scale: Scale }) {
  const { yOf } = placesOf(data, box, scale)
  return scale.ticks.map((tick) => (
    <text key={tick} className={styles['tick']} x={box.width - RIGHT_PX + 8} y={yOf(tick) + 4}>
      {tickText(tick, look)}
    </text>
  ))
}

export const shortName = (label: string, most: number): string => {
  const characters = Array.from(label.replace(/ 00:00:00$/, ''))
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('')
}

interface NameBelow {
  readonly at: number
  readonly name: string
  /** Of its middle: below its point, or as far to the left as the name needs to end within the box. */
  readonly x: number
}

/** Of as many points as have room for their names. */
export function namesBelow({ points }: ChartData, { xOf }: Pick<Places, 'xOf'>, box: Box): NameBelow[] {
  const named: NameBelow[] = []
  for (const [at, { label }] of points.entries()) {
    const name = shortName(label, NAME_CHARACTERS)
    const x = Math.min(xOf(at), box.width - (Array.from(name).length * WIDE_CHARACTER_PX) / 2)
    const last = named.at(-1)
    if (last === undefined || Math.abs(x - last.x) >= NAME_PX) named.push({ at, name, x })
  }
  return named
}

interface SeriesProps extends Omit<PlotProps, 'box'> {
  readonly series: number
  readonly places: Places
}

/** How wide bars are that stand side by side, and where the first one begins. */
export function barWidths(band: number, side: number): { readonly width: number; readonly first: number } {
  const width = Math.max(1, (band * 0.72) / side)
  return { width, first: (-width * side) / 2 }
}

function Bars({ look, data, series, places: { xOf, yOf, band }, active }: SeriesProps) {
  const stack = stackOf(look)
  const { width, first } = barWidths(band, stack === 'none' ? data.series.length : 1)
  return data.points.map((point, at) => {
    const span = spansOf(point, stack)[series]
    if (!span) return null
    const [from, to] = [yOf(span[0]), yOf(span[1])]
    return (
      <rect
        key={at}
        className={styles['bar']}
        data-active={at === active || undefined}
        x={xOf(at) + first + (stack === 'none' ? series * width : 0)}
        y={Math.min(from, to)}
        width={Math.max(1, width - 1)}
        height={Math.max(1, Math.abs(from - to))}
      />
    )
  })
}

function Line({ look, data, series, places: { xOf, yOf }, active }: SeriesProps) {
  const { kind } = look
  const stack = stackOf(look)
  const spans = data.points.map((point) => spansOf(point, stack)[series] ?? null)
  const dots = spans.flatMap((span, at) => {
    const isDrawn = span !== null && (kind === 'scatter' || at === active)
    return isDrawn
      ? [
          <circle
            key={at}
            className={styles['dot']}
            data-active={at === active || undefined}
            cx={xOf(at)}
            cy={yOf(span[1])}
            r={at === active ? 5 : 3}
          />,
        ]
      : []
  })
  if (kind === 'scatter') return dots
  const path = (run: readonly number[], end: 0 | 1) =>
    run.map((at) => `${xOf(at)} ${yOf(spans[at]?.[end] ?? 0)}`).join(' L ')
  return (
    <>
      {unbroken(spans).map((run) => (
        <g key={run[0]}>
          {kind === 'area' && (
            <path
              className={styles['area']}
              data-stacked={stack !== 'none' || undefined}
              d={`M ${path(run, 1)} L ${path(run.toReversed(), 0)} Z`}
            />
          )}
          <path className={styles['stroke']} d={`M ${path(run, 1)}`} />
          {run.length === 1 && <Alone cx={xOf(run[0] ?? 0)} cy={yOf(spans[run[0] ?? 0]?.[1] ?? 0)} />}
        </g>
      ))}
      {dots}
    </>
  )
}

/** A point without a neighbour has no line to be seen by. */
const Alone = ({ cx, cy }: { cx: number; cy: number }) => (
  <circle className={styles['dot']} cx={cx} cy={cy} r={3} data-alone />
)

/** A line has a gap where there is no number. */
function unbroken(spans: readonly unknown[]): number[][] {
  const runs: number[][] = []
  let run: number[] = []
  for (const [at, span] of spans.entries()) {
    if (span !== null) run.push(at)
    else if (run.length > 0) {
      runs.push(run)
      run = []
    }
  }
  return run.length > 0 ? [...runs, run] : runs
}
