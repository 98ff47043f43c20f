import { useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { placeOf, type TreeRows } from './row-list.ts'
import type { TreeRow } from './tree-rows.ts'

/** Which row the Tab key stops at, and how another row gets the focus, also one that is not drawn yet. */
export function useRovingFocus(
  rows: TreeRows<TreeRow>,
  activeId: string | null,
  scrollTo: (index: number) => void,
) {
  const treeId = useId()
  const elementId = (index: number) => `${treeId}-${index}`
  /** The element with the focus; its row can disappear. */
  const holder = useRef<HTMLElement | null>(null)
  const [last, setLast] = useState<{ id: string; index: number } | null>(null)
  const wanted = useRef(false)
  const stop = useMemo(() => {
    const known = placeOf(rows, last?.id)
    if (known !== -1) return known
    // The row is gone: the one that took its place.
    if (last) return Math.max(0, Math.min(last.index, rows.length - 1))
    return Math.max(0, placeOf(rows, activeId))
  }, [rows, last, activeId])

  useLayoutEffect(() => {
    const row = rows.at(stop)
    const isLost = holder.current?.isConnected === false && document.activeElement === document.body
    if (!row || (!wanted.current && !isLost)) return
    wanted.current = false
    document.getElementById(elementId(stop))?.focus({ preventScroll: true })
  })

  const focused = (index: number, element: HTMLElement) => {
    const row = rows.at(index)
    holder.current = element
    if (row && row.id !== last?.id) setLast({ id: row.id, index })
  }
  const left = () => {
    if (holder.current?.isConnected) holder.current = null
  }
  const focusRow = (index: number) => {
    const row = rows.at(index)
    if (!row) return
    scrollTo(index)
    const element = document.getElementById(elementId(index))
    if (element) return element.focus({ preventScroll: true })
    wanted.current = true
    setLast({ id: row.id, index })
  }
  return { stop, elementId, focusRow, focused, left }
}
