import type { Row } from '@boathouse/contract'
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
import type { Cell, GridSize, Selection } from './grid-selection.ts'
import { toTsv } from './grid-tsv.ts'
import type { GridColumn } from './grid-columns.ts'

interface Parts {
  readonly columns: readonly GridColumn[]
  readonly rows: readonly Row[]
  /** Rows that fit on the screen, asked for when a page key is pressed. */
  readonly page: () => number
  readonly onMove: (focus: Cell) => void
  readonly onCopied: () => void
}

/** The cell below the pointer; column -1 is the row's number, row -1 the header. */
function cellUnder(target: EventTarget): Cell | null {
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

export function useGridSelection({ columns, rows, page, onMove, onCopied }: Parts) {
  const [selection, setSelection] = useState<Selection | null>(null)
  const dragging = useRef(false)
  const size = useCallback(
    (): GridSize => ({ rows: rows.length, columns: columns.length, page: page() }),
    [rows, columns, page],
  )
  const first = selectCell({ row: rows.length > 0 ? 0 : HEADER_ROW, column: 0 })

  const change = (next: Selection) => {
    setSelection(next)
    onMove(next.focus)
  }

  return {
    selection,
    onFocus: () => setSelection((before) => before ?? first),
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
      const text = row === HEADER_ROW ? (columns[column]?.name ?? '') : toTsv(rows, rangeOf(selection))
      event.clipboardData.setData('text/plain', text)
      event.preventDefault()
      onCopied()
    },
  }
}
