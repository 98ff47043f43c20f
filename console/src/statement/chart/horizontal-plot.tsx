import { heightScale, shareOf, stackOf } from './chart-scale.ts'
import { spansOf } from './chart-stack.ts'
import { barWidths, type Box, type PlotProps, shortName, tickText } from './plot.tsx'
import type { ChartData } from './chart-data.ts'
import styles from './chart.module.css'

const NAMES_PX = 168
const NAME_LENGTH = 24
const RIGHT_PX = 24
const TOP_PX = 6
const BOTTOM_PX = 26
/** Bars are never thinner than their names: where there are more, they are scrolled. */
const LEAST_BAND_PX = 20

/** The height of all bars. */
const horizontalHeight = ({ points }: ChartData, { height }: Box): number =>
  Math.max(height, points.length * LEAST_BAND_PX + TOP_PX + BOTTOM_PX)

const bandOf = (data: ChartData, box: Box): number =>
  (horizontalHeight(data, box) - TOP_PX - BOTTOM_PX) / Math.max(1, data.points.length)

/** The point at a height of the picture. */
export const pointAt = (data: ChartData, box: Box, y: number): number =>
  Math.max(0, Math.min(data.points.length - 1, Math.floor((y - TOP_PX) / bandOf(data, box))))

/** Bars from left to right, with their names beside them. */
export function HorizontalPlot({ look, data, box, active }: PlotProps) {
  const height = horizontalHeight(data, box)
  const band = bandOf(data, box)
  const scale = heightScale(data, look)
  const stack = stackOf(look)
  const width = Math.max(1, box.width - NAMES_PX - RIGHT_PX)
  const xOf = (value: number) => NAMES_PX + width * shareOf(value, scale)
  const middle = (at: number) => TOP_PX + band * (at + 0.5)
  const bars = barWidths(band, stack === 'none' ? data.series.length : 1)
  return (
    <svg className={styles['plot']} width={box.width} height={height} aria-hidden>
      {scale.ticks.map((tick) => (
        <g key={tick}>
          <line
            className={styles['line']}
            x1={xOf(tick)}
            x2={xOf(tick)}
            y1={TOP_PX}
            y2={height - BOTTOM_PX}
          />
          <text className={styles['tick']} x={xOf(tick)} y={height - 8} textAnchor="middle">
            {tickText(tick, look)}
          </text>
        </g>
      ))}
      {data.points.map(({ label }, at) => (
        <text
          key={at}
          className={styles['tick']}
          data-active={at === active || undefined}
          x={NAMES_PX - 8}
          y={middle(at) + 4}
          textAnchor="end"
        >
          {shortName(label, NAME_LENGTH)}
        </text>
      ))}
      {data.series.map((name, series) => (
        <g key={name} data-series={series}>
          {data.points.map((point, at) => {
            const span = spansOf(point, stack)[series]
            if (!span) return null
            const [from, to] = [xOf(span[0]), xOf(span[1])]
            return (
              <rect
                key={at}
                className={styles['bar']}
                data-active={at === active || undefined}
                x={Math.min(from, to)}
                y={middle(at) + bars.first + (stack === 'none' ? series * bars.width : 0)}
                width={Math.max(1, Math.abs(to - from))}
                height={Math.max(1, bars.width - 1)}
              />
            )
          })}
        </g>
      ))}
    </svg>
  )
}
