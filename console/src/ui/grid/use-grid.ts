import { useEffect, useId, useImperativeHandle, useState } from 'react'
import type { KeyboardEvent, MouseEvent } from 'react'
import { useFixedRows } from '../rows/use-fixed-rows.ts'
import { ROW_PX } from './drawn-rows.tsx'
import { gutterWidth } from './grid-columns.ts'
import { gridKeys } from './grid-keys.ts'
import { HEADER_ROW, rangeOf } from './grid-selection.ts'
import type { Cell } from './grid-selection.ts'
import type { GridProps } from './grid.tsx'
import { useGridColumns } from './use-grid-columns.ts'
import { notifyCopied, useOnActive, useOnSelect } from './use-grid-notices.ts'
import { cellUnder, useGridSelection } from './use-grid-selection.ts'

const HEADER_PX = 28

const isOpenButton = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('[data-open]') !== null

/** What a grid shows, and what keys and the pointer do in it. */
export function useGrid(props: GridProps) {
  const { columns, rows, sample, pinned = 0, ref } = props
  const { onLook, onOpen, onSelect, onActive, onCopyMissing, onReorder, columnMenu } = props
  const id = useId()
  const [focus, setFocus] = useState<Cell | null>(null)
  const [menuOf, setMenuOf] = useState<number | null>(null)
  const gutter = gutterWidth(rows.count)

  const { scroller, layout, rowsOnPage, scrollTo } = useFixedRows(rows.count, {
    headerPx: HEADER_PX,
    rowPx: ROW_PX,
  })
  useEffect(() => onLook(layout.first, layout.last), [onLook, layout])
  const { items, width, widths, resize, fit, ...shown } = useGridColumns({
    scroller,
    columns,
    sample,
    pinned,
    gutter,
    focused: focus?.column,
  })

  const grid = useGridSelection({
    columns,
    rows,
    page: rowsOnPage,
    onMove: ({ row, column }) => {
      if (row >= 0) scrollTo(row)
      shown.scrollTo(column)
    },
    onCopied: notifyCopied,
    ...(onCopyMissing ? { onCopyMissing } : {}),
  })
  const { selection } = grid
  const active = selection?.focus
  if (active && (active.row !== focus?.row || active.column !== focus.column)) setFocus(active)
  useOnActive(active, onActive)
  useImperativeHandle(ref, () => ({
    focus: () => scroller.current?.focus({ preventScroll: true }),
    goTo: grid.goTo,
  }))

  const onKey = gridKeys({
    active,
    columnCount: columns.length,
    fit,
    widen: (column, by) => resize(column, (widths[column] ?? 0) + by),
    move: (from, to) => {
      onReorder?.(from, to)
      grid.goTo({ row: HEADER_ROW, column: to })
    },
    openMenu: columnMenu && setMenuOf,
    onOpen,
  })
  const pressed = (event: KeyboardEvent) => {
    // Menus below it are its children for React, and handle their own keys.
    if (event.target !== scroller.current) return
    if (onKey(event) || grid.onKeyDown(event)) event.preventDefault()
  }
  const mouseDown = (event: MouseEvent) => {
    grid.onMouseDown(event)
    if (event.target === scroller.current) return
    // Keeps the browser from selecting text, and with it from moving the focus here.
    event.preventDefault()
    scroller.current?.focus({ preventScroll: true })
  }
  const open = (event: MouseEvent) => {
    const cell = cellUnder(event.target)
    if (cell && cell.row !== HEADER_ROW && cell.column >= 0) onOpen(cell)
  }
  const openMenu = (event: MouseEvent) => {
    const cell = cellUnder(event.target)
    if (!columnMenu || cell?.row !== HEADER_ROW || cell.column < 0) return
    event.preventDefault()
    setMenuOf(cell.column)
  }

  const range = selection && selection.focus.row !== HEADER_ROW ? rangeOf(selection) : null
  useOnSelect(range, onSelect)
  return {
    id,
    scroller,
    gutter,
    layout,
    items,
    width,
    active,
    range,
    menuOf,
    setMenuOf,
    resize,
    fit,
    handlers: {
      onFocus: grid.onFocus,
      onKeyDown: pressed,
      onMouseDown: mouseDown,
      onMouseMove: grid.onMouseMove,
      onClick: (event: MouseEvent) => isOpenButton(event.target) && open(event),
      onDoubleClick: open,
      onContextMenu: openMenu,
      onCopy: grid.onCopy,
    },
  }
}
