import { memo } from 'react'
import type { VirtualItem } from '@tanstack/react-virtual'
import { t } from '../../i18n/texts.ts'
import type { GridColumn } from './grid-columns.ts'
import type { GridCells, GridRows } from './grid-rows.ts'
import styles from './grid.module.css'

/** A browser lays out long texts slowly, and a cell shows only their beginning. */
const LONGEST_SHOWN = 400

export const cellId = (gridId: string, row: number, column: number): string => `${gridId}-${row}-${column}`

interface Props {
  readonly gridId: string
  /** Undefined while it is not loaded. */
  readonly row: GridCells | undefined
  readonly lengthAt: GridRows['lengthAt']
  readonly index: number
  readonly top: number
  readonly width: number
  readonly columns: readonly GridColumn[]
  readonly items: readonly VirtualItem[]
  /** The number of first columns that stay in place. */
  readonly pinned: number
  /** Columns of this row in which something was found. */
  readonly found: ReadonlySet<number> | undefined
  readonly display: GridDisplay | undefined
  /** First and last selected column of this row; -1: none. */
  readonly selectedFrom: number
  readonly selectedTo: number
  readonly focusColumn: number
  readonly nullText: string
}

/** How a value is shown; what is copied stays as it is. */
export type GridDisplay = (value: string, column: GridColumn) => string

/** Only rows whose content or selection changed are drawn again. */
export const GridRow = memo(function GridRow(props: Props) {
  const { gridId, row, lengthAt, index, top, width, columns, items, pinned, found, display } = props
  const { selectedFrom, selectedTo, focusColumn, nullText } = props
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-busy={row ? undefined : true}
      className={styles['row']}
      style={{ transform: `translateY(${top}px)`, width }}
    >
      <div role="rowheader" aria-colindex={1} className={styles['rowNumber']} data-r={index} data-c={-1}>
        {index + 1}
      </div>
      {items.map(({ index: column, start, size }) => {
        const value = row?.[column]
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
            data-pending={row ? undefined : true}
            data-pinned={column < pinned || undefined}
            data-found={found?.has(column) || undefined}
            data-focus={column === focusColumn || undefined}
            style={{ left: start, width: size }}
          >
            {row && shownValue(displayed(value, columns[column], display), lengthAt(index, column), nullText)}
          </div>
        )
      })}
    </div>
  )
})

function displayed(
  value: string | null | undefined,
  column: GridColumn | undefined,
  display: GridDisplay | undefined,
): string | null {
  if (value === null || value === undefined) return null
  return display && column ? display(value, column) : value
}

function shownValue(value: string | null, length: number | undefined, nullText: string) {
  if (value === null) return nullText
  const shown = value.slice(0, LONGEST_SHOWN)
  return length === undefined ? shown : <CutValue shown={shown} length={length} />
}

/** A value that is not all here ends in an ellipsis and says how long it is; a click there opens it. */
function CutValue({ shown, length }: { shown: string; length: number }) {
  const characters = length.toLocaleString('en-US')
  return (
    <span className={styles['cut']}>
      <span className={styles['cutText']}>{shown}…</span>
      <span className={styles['length']} data-open title={t('grid.openHint')}>
        {t('grid.length', { count: length, characters })}
      </span>
    </span>
  )
}
