/** Row -1 is the header; both count from 0. */
export interface Cell {
  readonly row: number
  readonly column: number
}

export interface Selection {
  /** Where it began, and where it ends now: the focus is the cell that keys move. */
  readonly anchor: Cell
  readonly focus: Cell
}

/** All four belong to it. */
export interface CellRange {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

export interface GridSize {
  readonly rows: number
  readonly columns: number
  /** Rows that fit on the screen. */
  readonly page: number
}

export interface PressedKey {
  readonly key: string
  readonly mod: boolean
  readonly shift: boolean
}

export const HEADER_ROW = -1

export const selectCell = (cell: Cell): Selection => ({ anchor: cell, focus: cell })

export const rangeOf = ({ anchor, focus }: Selection): CellRange => ({
  top: Math.min(anchor.row, focus.row),
  bottom: Math.max(anchor.row, focus.row),
  left: Math.min(anchor.column, focus.column),
  right: Math.max(anchor.column, focus.column),
})

export const selectAll = ({ rows, columns }: GridSize): Selection =>
  rows === 0
    ? selectCell({ row: HEADER_ROW, column: 0 })
    : { anchor: { row: rows - 1, column: columns - 1 }, focus: { row: 0, column: 0 } }

export const selectRow = (row: number, { columns }: GridSize): Selection => ({
  anchor: { row, column: columns - 1 },
  focus: { row, column: 0 },
})

export const selectColumn = (column: number, { rows }: GridSize): Selection =>
  rows === 0
    ? selectCell({ row: HEADER_ROW, column })
    : { anchor: { row: rows - 1, column }, focus: { row: 0, column } }

const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value))

function target({ row, column }: Cell, { key, mod }: PressedKey, size: GridSize): Cell | null {
  const lastRow = size.rows - 1
  const lastColumn = size.columns - 1
  switch (key) {
    case 'ArrowUp':
      return { row: mod ? Math.min(row, 0) : row - 1, column }
    case 'ArrowDown':
      return { row: mod ? lastRow : row + 1, column }
    case 'ArrowLeft':
      return { row, column: mod ? 0 : column - 1 }
    case 'ArrowRight':
      return { row, column: mod ? lastColumn : column + 1 }
    case 'Home':
      return { row: mod ? 0 : row, column: 0 }
    case 'End':
      return { row: mod ? lastRow : row, column: lastColumn }
    case 'PageUp':
      return { row: Math.max(0, row - size.page), column }
    case 'PageDown':
      return { row: row + size.page, column }
    default:
      return null
  }
}

/** The selection after a key, or null when the key means nothing to a grid. */
export function pressKey(selection: Selection, pressed: PressedKey, size: GridSize): Selection | null {
  const to = target(selection.focus, pressed, size)
  if (!to) return null
  // The header can be reached, but a range of values does not reach into it.
  const top = pressed.shift && selection.anchor.row !== HEADER_ROW ? 0 : HEADER_ROW
  const focus = {
    row: clamp(to.row, Math.min(top, size.rows - 1), Math.max(HEADER_ROW, size.rows - 1)),
    column: clamp(to.column, 0, Math.max(0, size.columns - 1)),
  }
  const extend = pressed.shift && focus.row !== HEADER_ROW && selection.anchor.row !== HEADER_ROW
  return extend ? { anchor: selection.anchor, focus } : selectCell(focus)
}
