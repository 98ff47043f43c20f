import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import type { Range } from '@tanstack/react-virtual'
import { useCallback, useEffect, useId, useLayoutEffect, useState } from 'react'
import type { CSSProperties, KeyboardEvent, MouseEvent } from 'react'
import '../../i18n/grid.ts'
import { t } from '../../i18n/texts.ts'
import { notify } from '../toasts.tsx'
import { clampWidth, fittedWidth, gutterWidth, initialWidths, RESIZE_STEP_PX } from './grid-columns.ts'
import type { GridColumn } from './grid-columns.ts'
import { GridHeader } from './grid-header.tsx'
import { cellId, GridRow } from './grid-row.tsx'
import type { GridCells, GridRows } from './grid-rows.ts'
import { HEADER_ROW, rangeOf } from './grid-selection.ts'
import type { Cell, CellRange } from './grid-selection.ts'
import styles from './grid.module.css'
import { useFixedRows } from '../rows/use-fixed-rows.ts'
import { cellUnder, useGridSelection } from './use-grid-selection.ts'
import type { Copied } from './use-grid-selection.ts'

export interface GridProps {
  readonly label: string
  readonly columns: readonly GridColumn[]
  readonly rows: GridRows
  /** By which columns are measured. */
  readonly sample: readonly GridCells[]
  /** Rows on the screen, both included. */
  readonly onLook: (first: number, last: number) => void
  readonly onOpen: (cell: Cell) => void
  /** More than one cell, or null. */
  readonly onSelect?: (range: CellRange | null) => void
  /** Copies what is not all here; without it, the user is told that it is not. */
  readonly onCopyMissing?: (range: CellRange) => void
}

const HEADER_PX = 28
const ROW_PX = 26

/** The focused column is always drawn, so that what is read out exists. */
const withIndex = (index: number | undefined) => (range: Range) => {
  const shown = defaultRangeExtractor(range)
  const isExtra = index !== undefined && index >= 0 && index < range.count && !shown.includes(index)
  return isExtra ? [...shown, index].sort((one, other) => one - other) : shown
}

/** So is the focused row. */
function drawnRows({ first, last }: { first: number; last: number }, focus: number | undefined): number[] {
  const shown = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
  if (focus === undefined || focus < 0 || (focus >= first && focus <= last)) return shown
  return focus < first ? [focus, ...shown] : [...shown, focus]
}

const NOTHING = { from: -1, to: -1 }
const selectedIn = (range: CellRange | null, row: number) =>
  range && row >= range.top && row <= range.bottom ? { from: range.left, to: range.right } : NOTHING

function useTellCopied(): (copied: Copied) => void {
  return (copied) => {
    if (copied.isMissing) notify({ tone: 'warn', message: t('grid.notAllHere') })
    else if (copied.cut > 0) notify({ tone: 'warn', message: t('grid.copiedCut', { count: copied.cut }) })
    else notify({ tone: 'ok', message: t('ui.copySucceeded') })
  }
}

/** A single cell is no selection to speak of. */
function useTellSelected(range: CellRange | null, onSelect: GridProps['onSelect']): void {
  const { top = 0, bottom = 0, left = 0, right = 0 } = range ?? {}
  const isSeveral = range !== null && (top !== bottom || left !== right)
  useEffect(() => {
    onSelect?.(isSeveral ? { top, bottom, left, right } : null)
  }, [onSelect, isSeveral, top, bottom, left, right])
}

/** Rows and columns are virtual; give it a new key for other columns. */
export function Grid(props: GridProps) {
  const { label, columns, rows, sample, onLook, onOpen, onSelect, onCopyMissing } = props
  const id = useId()
  const [widths, setWidths] = useState(() => initialWidths(columns, sample))
  const [focus, setFocus] = useState<Cell | null>(null)
  const gutter = gutterWidth(rows.count)

  const { scroller, layout, rowsOnPage, scrollTo } = useFixedRows(rows.count, {
    headerPx: HEADER_PX,
    rowPx: ROW_PX,
  })
  useEffect(() => onLook(layout.first, layout.last), [onLook, layout])
  // There is no React Compiler here, and the rows are memoized by what they show.
  // oxlint-disable-next-line react/incompatible-library
  const columnList = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => widths[index] ?? 0,
    overscan: 2,
    paddingStart: gutter,
    scrollPaddingStart: gutter,
    rangeExtractor: useCallback((range: Range) => withIndex(focus?.column)(range), [focus?.column]),
  })
  useLayoutEffect(() => columnList.measure(), [columnList, widths])

  const grid = useGridSelection({
    columns,
    rows,
    page: rowsOnPage,
    onMove: ({ row, column }) => {
      if (row >= 0) scrollTo(row)
      columnList.scrollToIndex(column)
    },
    onCopied: useTellCopied(),
    ...(onCopyMissing ? { onCopyMissing } : {}),
  })
  const { selection } = grid
  const active = selection?.focus
  if (active && (active.row !== focus?.row || active.column !== focus.column)) setFocus(active)

  const resize = (column: number, width: number) =>
    setWidths((before) => before.map((old, at) => (at === column ? clampWidth(width) : old)))
  const fit = (column: number) => resize(column, fittedWidth(columns, sample, column))

  /** In the header: Alt with left and right, and Enter. */
  const resizeByKey = (event: KeyboardEvent): boolean => {
    if (active?.row !== HEADER_ROW) return false
    const width = widths[active.column] ?? 0
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) fit(active.column)
    else if (event.altKey && event.key === 'ArrowLeft') resize(active.column, width - RESIZE_STEP_PX)
    else if (event.altKey && event.key === 'ArrowRight') resize(active.column, width + RESIZE_STEP_PX)
    else return false
    return true
  }
  const openByKey = (event: KeyboardEvent): boolean => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || !active) return false
    onOpen(active)
    return true
  }
  const pressed = (event: KeyboardEvent) => {
    if (resizeByKey(event) || openByKey(event) || grid.onKeyDown(event)) event.preventDefault()
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
  const click = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest('[data-open]')) open(event)
  }

  const range = selection && selection.focus.row !== HEADER_ROW ? rangeOf(selection) : null
  useTellSelected(range, onSelect)
  const width = columnList.getTotalSize()
  const items = columnList.getVirtualItems()
  return (
    <div className={styles['frame']}>
      <p id={`${id}-hint`} className="visually-hidden">
        {t('grid.keysHint')}
      </p>
      <div
        ref={scroller}
        role="grid"
        className={styles['grid']}
        style={{ '--gutter': `${gutter}px` } as CSSProperties}
        tabIndex={0}
        aria-label={label}
        aria-describedby={`${id}-hint`}
        aria-rowcount={rows.count + 1}
        aria-colcount={columns.length + 1}
        aria-multiselectable
        aria-readonly
        aria-activedescendant={active ? cellId(id, active.row, active.column) : undefined}
        onFocus={grid.onFocus}
        onKeyDown={pressed}
        onMouseDown={mouseDown}
        onMouseMove={grid.onMouseMove}
        onClick={click}
        onDoubleClick={open}
        onCopy={grid.onCopy}
      >
        <GridHeader
          gridId={id}
          width={width}
          columns={columns}
          items={items}
          focusColumn={active?.row === HEADER_ROW ? active.column : -1}
          onResize={resize}
          onFit={fit}
        />
        <div role="rowgroup" className={styles['body']} style={{ height: layout.height, width }}>
          {drawnRows(layout, focus?.row).map((index) => {
            const selected = selectedIn(range, index)
            return (
              <GridRow
                key={index}
                gridId={id}
                row={rows.at(index)}
                lengthAt={rows.lengthAt}
                index={index}
                top={index * ROW_PX + layout.shift}
                width={width}
                columns={columns}
                items={items}
                selectedFrom={selected.from}
                selectedTo={selected.to}
                focusColumn={active?.row === index ? active.column : -1}
                nullText={t('grid.null')}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}
