import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { layoutRows, scrollTopFor } from './fixed-rows.ts'
import type { RowsLayout, Seen } from './fixed-rows.ts'

/** A scroll that draws the same rows at the same places changes nothing. */
const isSame = (one: RowsLayout, other: RowsLayout): boolean =>
  one.first === other.first && one.last === other.last && one.shift === other.shift

interface Heights {
  /** Stays above the rows. */
  readonly headerPx: number
  readonly rowPx: number
}

const read = (element: HTMLElement, { headerPx, rowPx }: Heights): Seen => ({
  scrollTop: element.scrollTop,
  viewport: Math.max(0, element.clientHeight - headerPx),
  rowPx,
})

/** Which rows to draw, and where; follows scrolling and the size of the window. */
export function useFixedRows(count: number, { headerPx, rowPx }: Heights) {
  const scroller = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState<Seen>({ scrollTop: 0, viewport: 0, rowPx })
  const layout = useMemo(() => layoutRows(count, seen), [count, seen])
  const drawn = useRef(layout)
  useLayoutEffect(() => {
    drawn.current = layout
  }, [layout])

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const follow = () => {
      const next = read(element, { headerPx, rowPx })
      if (!isSame(layoutRows(count, next), drawn.current)) setSeen(next)
    }
    follow()
    element.addEventListener('scroll', follow, { passive: true })
    const observer = new ResizeObserver(follow)
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', follow)
      observer.disconnect()
    }
  }, [count, headerPx, rowPx])

  const scrollTo = (index: number) => {
    const element = scroller.current
    if (!element) return
    const now = read(element, { headerPx, rowPx })
    const scrollTop = scrollTopFor(index, count, now)
    if (scrollTop !== now.scrollTop) element.scrollTop = scrollTop
  }
  /** One less than fit, so that the page keys leave one row for orientation. */
  const rowsOnPage = useCallback(
    () => Math.max(1, Math.floor(((scroller.current?.clientHeight ?? 0) - headerPx) / rowPx) - 1),
    [headerPx, rowPx],
  )
  return { scroller, layout, rowsOnPage, scrollTo }
}
