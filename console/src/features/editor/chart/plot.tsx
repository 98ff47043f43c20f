import type { ChartKind } from '@boathouse/contract/editor'
import { formatCount } from '../../../lib/format.ts'
import type { ChartData } from './chart-data.ts'
import { heightScale, shareOf } from './chart-scale.ts'
import type { Scale } from './chart-scale.ts'
import styles from './chart.module.css'

export interface Box {
  readonly width: number
  readonly height: number
}

interface Props {
  readonly kind: Exclude<ChartKind, 'number'>
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
const NAME_PX = 90

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

export const scaleOf = (kind: Props['kind'], data: ChartData): Scale =>
  heightScale(data, kind === 'bar' || kind === 'area')

/** The point that is nearest to a place in the box. */
export function nearestPoint(data: ChartData, places: Places, x: number): number | null {
  let nearest: number | null = null
  for (let at = 0; at < data.points.length; at++)
    if (nearest === null || Math.abs(places.xOf(at) - x) < Math.abs(places.xOf(nearest) - x)) nearest = at
  return nearest
}

/** Grid lines, names and the series themselves. */
export function Plot({ kind, data, box, active }: Props) {
  const scale = scaleOf(kind, data)
  const places = placesOf(data, box, scale)
  const { xOf, yOf } = places
  const base = yOf(Math.max(scale.low, Math.min(0, scale.high)))
  return (
    <svg className={styles['plot']} width={box.width} height={box.height} aria-hidden>
      {scale.ticks.map((tick) => (
        <g key={tick}>
          <line
            className={styles['line']}
            x1={LEFT_PX}
            x2={box.width - RIGHT_PX}
            y1={yOf(tick)}
            y2={yOf(tick)}
          />
          <text className={styles['tick']} x={LEFT_PX - 8} y={yOf(tick) + 4} textAnchor="end">
            {formatCount(tick)}
          </text>
        </g>
      ))}
      {namedPoints(data, places).map((at) => (
        <text key={at} className={styles['tick']} x={xOf(at)} y={box.height - 10} textAnchor="middle">
          {shortName(data.points[at]?.label ?? '')}
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
      {data.series.map((name, series) => (
        <g key={name} data-series={series}>
          <Series kind={kind} data={data} series={series} places={places} base={base} active={active} />
        </g>
      ))}
    </svg>
  )
}

const shortName = (label: string): string => {
  const characters = Array.from(label.replace(/ 00:00:00$/, ''))
  return characters.length > 14 ? `${characters.slice(0, 13).join('')}…` : characters.join('')
}

/** As many of them as have room for their names. */
function namedPoints({ points }: ChartData, { xOf }: Places): number[] {
  const named: number[] = []
  for (let at = 0; at < points.length; at++) {
    const last = named.at(-1)
    if (last === undefined || Math.abs(xOf(at) - xOf(last)) >= NAME_PX) named.push(at)
  }
  return named
}

interface SeriesProps extends Omit<Props, 'box'> {
  readonly series: number
  readonly places: Places
  /** Where bars and areas begin, in pixels. */
  readonly base: number
}

function Series({ kind, data, series, places, base, active }: SeriesProps) {
  const { xOf, yOf, band } = places
  const valueOf = (at: number): number | null => data.points[at]?.values[series] ?? null
  if (kind === 'bar') {
    const width = Math.max(1, (band * 0.72) / data.series.length)
    const first = (-width * data.series.length) / 2
    return data.points.map((point, at) => {
      const value = valueOf(at)
      if (value === null) return null
      const top = Math.min(yOf(value), base)
      return (
        <rect
          key={at}
          className={styles['bar']}
          data-active={at === active || undefined}
          x={xOf(at) + first + series * width}
          y={top}
          width={Math.max(1, width - 1)}
          height={Math.max(1, Math.abs(yOf(value) - base))}
        />
      )
    })
  }
  const dots = data.points.flatMap((_, at) => {
    const value = valueOf(at)
    const isDrawn = value !== null && (kind === 'scatter' || at === active)
    return isDrawn
      ? [
          <circle
            key={at}
            className={styles['dot']}
            data-active={at === active || undefined}
            cx={xOf(at)}
            cy={yOf(value)}
            r={at === active ? 5 : 3}
          />,
        ]
      : []
  })
  if (kind === 'scatter') return dots
  const runs = unbroken(data.points.length, valueOf)
  return (
    <>
      {runs.map((run) => {
        const line = run.map((at) => `${xOf(at)} ${yOf(valueOf(at) ?? 0)}`).join(' L ')
        const [first = 0, last = 0] = [run[0], run.at(-1)]
        return (
          <g key={first}>
            {kind === 'area' && (
              <path
                className={styles['area']}
                d={`M ${xOf(first)} ${base} L ${line} L ${xOf(last)} ${base} Z`}
              />
            )}
            <path className={styles['stroke']} d={`M ${line}${run.length === 1 ? ' h 0.1' : ''}`} />
          </g>
        )
      })}
      {dots}
    </>
  )
}

/** A line has a gap where there is no number. */
function unbroken(count: number, valueOf: (at: number) => number | null): number[][] {
  const runs: number[][] = []
  let run: number[] = []
  for (let at = 0; at < count; at++) {
    if (valueOf(at) !== null) run.push(at)
    else if (run.length > 0) {
      runs.push(run)
      run = []
    }
  }
  return run.length > 0 ? [...runs, run] : runs
}
