import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import type { Range } from '@tanstack/react-virtual'
import { useCallback, useLayoutEffect, useMemo, useState } from 'react'
import type { RefObject } from 'react'
import { clampWidth, columnId, fittedWidth, measuredWidths, widthsInOrder } from './grid-columns.ts'
import type { GridColumn, Widths } from './grid-columns.ts'
import type { GridCells } from './grid-rows.ts'

interface Parts {
  readonly scroller: RefObject<HTMLElement | null>
  readonly columns: readonly GridColumn[]
  readonly sample: readonly GridCells[]
  readonly pinned: number
  /** Pixels of the row numbers. */
  readonly gutter: number
  /** The column that the keyboard is in. */
  readonly focused: number | undefined
}

/** What is read out must exist, and what is pinned is always seen. */
const withOthers = (pinned: number, focused: number | undefined) => (range: Range) => {
  const shown = new Set(defaultRangeExtractor(range))
  for (let at = 0; at < Math.min(pinned, range.count); at++) shown.add(at)
  if (focused !== undefined && focused >= 0 && focused < range.count) shown.add(focused)
  return [...shown].toSorted((one, other) => one - other)
}

const sumOf = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width, 0)

/** Which columns are drawn, how wide they are, and how one is scrolled to. */
export function useGridColumns({ scroller, columns, sample, pinned, gutter, focused }: Parts) {
  const [known, setKnown] = useState<Widths>(() => measuredWidths(columns, sample))
  const widths = useMemo(() => widthsInOrder(columns, sample, known), [columns, sample, known])
  // There is no React Compiler here, and the rows are memoized by what they show.
  // oxlint-disable-next-line react/incompatible-library
  const list = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => widths[index] ?? 0,
    overscan: 2,
    paddingStart: gutter,
    rangeExtractor: useCallback((range: Range) => withOthers(pinned, focused)(range), [pinned, focused]),
  })
  useLayoutEffect(() => list.measure(), [list, widths])

  const resize = (at: number, width: number) =>
    setKnown((before) => new Map(before).set(columnId(columns, at), clampWidth(width)))
  return {
    items: list.getVirtualItems(),
    width: list.getTotalSize(),
    widths,
    resize,
    fit: (at: number) => resize(at, fittedWidth(columns, sample, at)),
    /** By the shortest way, and beside what is pinned. */
    scrollTo(at: number): void {
      const element = scroller.current
      if (!element || at < pinned) return
      const covered = gutter + sumOf(widths.slice(0, pinned))
      const left = gutter + sumOf(widths.slice(0, at))
      const right = left + (widths[at] ?? 0)
      if (left - covered < element.scrollLeft) element.scrollLeft = left - covered
      else if (right > element.scrollLeft + element.clientWidth)
        element.scrollLeft = right - element.clientWidth
    },
  }
}
