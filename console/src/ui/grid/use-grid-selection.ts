import { useCallback, useRef, useState } from 'react'
import type { ClipboardEvent, KeyboardEvent, MouseEvent } from 'react'
import {
  HEADER_ROW,
  pressKey,
  rangeOf,
  selectAll,
  selectCell,
  selectColumn,
  selectRow,
} from './grid-selection.ts'
import type { Cell, CellRange, GridSize, Selection } from './grid-selection.ts'
import type { GridColumn } from './grid-columns.ts'
import type { GridRows } from './grid-rows.ts'
import { cutIn, toHtml, toTsv } from './grid-tsv.ts'

/** What came of copying: nothing when rows are not here yet; `cut` counts values copied in part. */
export type Copied = { readonly isMissing: true } | { readonly isMissing: false; readonly cut: number }

interface Parts {
  readonly columns: readonly GridColumn[]
  readonly rows: GridRows
  /** Rows that fit on the screen, counted when a page key is pressed. */
  readonly page: () => number
  readonly onMove: (focus: Cell) => void
  readonly onCopied: (copied: Copied) => void
  readonly onCopyMissing?: (range: CellRange) => void
}

/** The cell below the pointer; column -1 is the row's number, row -1 the header. */
export function cellUnder(target: EventTarget): Cell | null {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-r]') : null
  if (!element) return null
  return { row: Number(element.dataset['r']), column: Number(element.dataset['c']) }
}

function selectionAt(cell: Cell, size: GridSize): Selection {
  if (cell.row === HEADER_ROW && cell.column < 0) return selectAll(size)
  if (cell.row === HEADER_ROW) return selectColumn(cell.column, size)
  if (cell.column < 0) return selectRow(cell.row, size)
  return selectCell(cell)
}

/** Fewer rows or columns than before may have left a selection outside of them. */
const within = (selection: Selection | null, rows: number, columns: number): Selection | null => {
  const { anchor, focus } = selection ?? { anchor: { row: 0, column: 0 }, focus: { row: 0, column: 0 } }
  const isInside = Math.max(anchor.row, focus.row) < rows && Math.max(anchor.column, focus.column) < columns
  return isInside ? selection : null
}

export function useGridSelection({ columns, rows, page, onMove, onCopied, onCopyMissing }: Parts) {
  const [chosen, setSelection] = useState<Selection | null>(null)
  const selection = within(chosen, Math.max(rows.count, 1), columns.length)
  const dragging = useRef(false)
  const size = useCallback(
    (): GridSize => ({ rows: rows.count, columns: columns.length, page: page() }),
    [rows, columns, page],
  )
  const first = selectCell({ row: rows.count > 0 ? 0 : HEADER_ROW, column: 0 })

  const change = (next: Selection) => {
    setSelection(next)
    onMove(next.focus)
  }

  return {
    selection,
    onFocus: () => setSelection(selection ?? first),
    goTo: (cell: Cell) => change(selectCell(cell)),
    /** True when the key was the grid's. */
    onKeyDown(event: KeyboardEvent): boolean {
      const mod = event.ctrlKey || event.metaKey
      const before = selection ?? first
      if (mod && event.key.toLowerCase() === 'a') {
        setSelection(selectAll(size()))
        return true
      }
      if (event.key === 'Escape' && before.anchor !== before.focus) {
        setSelection(selectCell(before.focus))
        return true
      }
      const next = event.altKey
        ? null
        : pressKey(before, { key: event.key, mod, shift: event.shiftKey }, size())
      if (next) change(next)
      return next !== null
    },
    onMouseDown(event: MouseEvent): void {
      const cell = event.button === 0 ? cellUnder(event.target) : null
      if (!cell) return
      const isValue = cell.row !== HEADER_ROW && cell.column >= 0
      dragging.current = isValue
      if (event.shiftKey && selection && isValue) setSelection({ anchor: selection.anchor, focus: cell })
      else setSelection(selectionAt(cell, size()))
    },
    onMouseMove(event: MouseEvent): void {
      if (!dragging.current || (event.buttons & 1) === 0 || !selection) return
      const cell = cellUnder(event.target)
      const { focus } = selection
      const isNew =
        cell && cell.row >= 0 && cell.column >= 0 && (cell.row !== focus.row || cell.column !== focus.column)
      if (isNew) setSelection({ anchor: selection.anchor, focus: cell })
    },
    onCopy(event: ClipboardEvent): void {
      if (!selection) return
      const { row, column } = selection.focus
      event.preventDefault()
      const range = rangeOf(selection)
      const text = row === HEADER_ROW ? (columns[column]?.name ?? '') : toTsv(rows, range)
      if (text === null) return onCopyMissing ? onCopyMissing(range) : onCopied({ isMissing: true })
      event.clipboardData.setData('text/plain', text)
      const isOne = range.top === range.bottom && range.left === range.right
      const html = row === HEADER_ROW || isOne ? null : toHtml(rows, range)
      if (html !== null) event.clipboardData.setData('text/html', html)
      onCopied({ isMissing: false, cut: row === HEADER_ROW ? 0 : cutIn(rows, range) })
    },
  }
}
