import type { ChartSettings } from '@boathouse/contract/editor'
import type { ChartData } from './chart-data.ts'
import { heightScale, joinedScale, type Scale, type Shape } from './chart-scale.ts'

export interface OverlayLook extends Shape {
  readonly overlay: ChartSettings['overlay']
  readonly isHorizontal: boolean
}

/** Room for the names of an axis on the right. */
const AXIS_PX = 40

const LINE: Shape = { kind: 'line', stack: 'none' }

/** Whether the last series is a line over the bars of the others. */
const isOverlaid = (
  { kind, overlay, isHorizontal }: OverlayLook,
  { series, isSplit }: Pick<ChartData, 'series' | 'isSplit'>,
): boolean => kind === 'bar' && overlay !== 'none' && !isHorizontal && !isSplit && series.length > 1

const withSeries = (data: ChartData, from: number, to: number): ChartData => ({
  ...data,
  series: data.series.slice(from, to),
  points: data.points.map((point) => ({
    ...point,
    values: point.values.slice(from, to),
    texts: point.texts.slice(from, to),
  })),
})

export interface Layers<L extends OverlayLook> {
  /** Bars, lines or areas on the scale of the left axis. */
  readonly main: { readonly data: ChartData; readonly look: L; readonly scale: Scale }
  /** A line over them. Null: there is none. */
  readonly line: { readonly data: ChartData; readonly look: L; readonly scale: Scale } | null
  readonly hasOwnAxis: boolean
}

/** What is drawn by which scale. */
export function layersOf<L extends OverlayLook>(data: ChartData, look: L): Layers<L> {
  if (!isOverlaid(look, data))
    return { main: { data, look, scale: heightScale(data, look) }, line: null, hasOwnAxis: false }
  const last = data.series.length - 1
  const bars = withSeries(data, 0, last)
  const over = withSeries(data, last, last + 1)
  const barLook: L = last < 2 ? { ...look, stack: 'none' } : look
  const lineLook: L = { ...look, ...LINE }
  // Shares of 100 have no scale in common with what is counted.
  const hasOwnAxis = look.overlay === 'axis' || barLook.stack === 'percent'
  const scales = { bars: heightScale(bars, barLook), line: heightScale(over, lineLook) }
  const joined = hasOwnAxis ? null : joinedScale(scales.bars, scales.line)
  return {
    main: { data: bars, look: barLook, scale: joined ?? scales.bars },
    line: { data: over, look: lineLook, scale: joined ?? scales.line },
    hasOwnAxis,
  }
}

/** The box of the picture without its right axis. */
export const boxBeside = <B extends { readonly width: number }>(box: B, hasOwnAxis: boolean): B =>
  hasOwnAxis ? { ...box, width: box.width - AXIS_PX } : box
