import type { KeyboardEvent } from 'react'
import { RESIZE_STEP_PX } from './grid-columns.ts'
import { HEADER_ROW } from './grid-selection.ts'
import type { Cell } from './grid-selection.ts'

interface Parts {
  /** The cell that the keyboard is in. */
  readonly active: Cell | undefined
  readonly columnCount: number
  readonly fit: (column: number) => void
  readonly widen: (column: number, byPx: number) => void
  readonly move: (from: number, to: number) => void
  /** Undefined where columns have no menu. */
  readonly openMenu: ((column: number) => void) | undefined
  readonly onOpen: (cell: Cell) => void
}

/** Keys that act on a column or on a cell; those that move the selection are not among them. True: the key was used. */
export const gridKeys =
  (parts: Parts) =>
  (event: KeyboardEvent): boolean =>
    changeColumn(event, parts) || openMenu(event, parts) || openCell(event, parts)

/** In the header: Alt with left and right resizes, with Shift as well it moves the column; Enter fits it. */
function changeColumn(event: KeyboardEvent, { active, columnCount, fit, widen, move }: Parts): boolean {
  if (active?.row !== HEADER_ROW) return false
  const { column } = active
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
  if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) fit(column)
  else if (!event.altKey || !step) return false
  else if (!event.shiftKey) widen(column, step * RESIZE_STEP_PX)
  else if (column + step >= 0 && column + step < columnCount) move(column, column + step)
  return true
}

function openMenu(event: KeyboardEvent, { active, openMenu: open }: Parts): boolean {
  const isMenuKey = event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')
  const isMeant = isMenuKey || (event.altKey && event.key === 'ArrowDown')
  if (!isMeant || !active || !open) return false
  open(active.column)
  return true
}

function openCell(event: KeyboardEvent, { active, onOpen }: Parts): boolean {
  if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || !active) return false
  onOpen(active)
  return true
}
