import type { Row } from '@boathouse/contract'
import { memo } from 'react'
import type { VirtualItem } from '@tanstack/react-virtual'
import type { GridColumn } from './grid-columns.ts'
import styles from './result-grid.module.css'

/** A browser lays out long texts slowly, and a cell shows only their beginning. */
const LONGEST_SHOWN = 400

export const cellId = (gridId: string, row: number, column: number): string => `${gridId}-${row}-${column}`

interface Props {
  readonly gridId: string
  readonly row: Row
  readonly index: number
  readonly top: number
  readonly width: number
  readonly columns: readonly GridColumn[]
  readonly items: readonly VirtualItem[]
  /** First and last selected column of this row; -1: none. */
  readonly selectedFrom: number
  readonly selectedTo: number
  readonly focusColumn: number
  readonly nullText: string
}

/** Only rows whose content or selection changed are drawn again. */
export const GridRow = memo(function GridRow(props: Props) {
  const { gridId, row, index, top, width, columns, items, selectedFrom, selectedTo, focusColumn, nullText } =
    props
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={styles['row']}
      style={{ transform: `translateY(${top}px)`, width }}
    >
      <div role="rowheader" aria-colindex={1} className={styles['rowNumber']} data-r={index} data-c={-1}>
        {index + 1}
      </div>
      {items.map(({ index: column, start, size }) => {
        const value = row[column] ?? null
        const isSelected = column >= selectedFrom && column <= selectedTo && selectedFrom >= 0
        return (
          <div
            key={column}
            id={cellId(gridId, index, column)}
            role="gridcell"
            aria-colindex={column + 2}
            aria-selected={isSelected}
            className={styles['cell']}
            data-r={index}
            data-c={column}
            data-family={columns[column]?.family}
            data-null={value === null || undefined}
            data-focus={column === focusColumn || undefined}
            style={{ left: start, width: size }}
          >
            {value === null ? nullText : value.slice(0, LONGEST_SHOWN)}
          </div>
        )
      })}
    </div>
  )
})
