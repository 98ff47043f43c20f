import type { Row } from '@boathouse/contract'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import type { Range } from '@tanstack/react-virtual'
import { useCallback, useId, useLayoutEffect, useRef, useState } from 'react'
import type { KeyboardEvent, MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../../ui/index.ts'
import { clampWidth, fittedWidth, initialWidths, RESIZE_STEP_PX } from './grid-columns.ts'
import type { GridColumn } from './grid-columns.ts'
import { GridHeader } from './grid-header.tsx'
import { cellId, GridRow } from './grid-row.tsx'
import { HEADER_ROW, rangeOf } from './grid-selection.ts'
import type { Cell, CellRange } from './grid-selection.ts'
import styles from './result-grid.module.css'
import { useGridSelection } from './use-grid-selection.ts'

export interface ResultGridProps {
  readonly label: string
  readonly columns: readonly GridColumn[]
  readonly rows: readonly Row[]
}

const ROW_PX = 26
const HEADER_PX = 28
const GUTTER_PX = 52

/** The focused row and column are always drawn, so that what is read out exists. */
const withIndex = (index: number | undefined) => (range: Range) => {
  const shown = defaultRangeExtractor(range)
  const isExtra = index !== undefined && index >= 0 && index < range.count && !shown.includes(index)
  return isExtra ? [...shown, index].sort((one, other) => one - other) : shown
}

const NOTHING = { from: -1, to: -1 }
const selectedIn = (range: CellRange | null, row: number) =>
  range && row >= range.top && row <= range.bottom ? { from: range.left, to: range.right } : NOTHING

/** Rows and columns are virtual; give it a new key for a new result. */
export function ResultGrid({ label, columns, rows }: ResultGridProps) {
  const { t } = useTranslation()
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [widths, setWidths] = useState(() => initialWidths(columns, rows))
  const [focus, setFocus] = useState<Cell | null>(null)
  const getScrollElement = () => scroller.current

  // There is no React Compiler here, and the rows are memoized by what they show.
  // oxlint-disable-next-line react/incompatible-library
  const rowList = useVirtualizer({
    count: rows.length,
    getScrollElement,
    estimateSize: () => ROW_PX,
    overscan: 6,
    scrollMargin: HEADER_PX,
    scrollPaddingStart: HEADER_PX,
    rangeExtractor: useCallback((range: Range) => withIndex(focus?.row)(range), [focus?.row]),
  })
  const columnList = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement,
    estimateSize: (index) => widths[index] ?? 0,
    overscan: 2,
    paddingStart: GUTTER_PX,
    scrollPaddingStart: GUTTER_PX,
    rangeExtractor: useCallback((range: Range) => withIndex(focus?.column)(range), [focus?.column]),
  })
  useLayoutEffect(() => columnList.measure(), [columnList, widths])

  const page = useCallback(() => {
    const height = scroller.current?.clientHeight ?? 0
    return Math.max(1, Math.floor((height - HEADER_PX) / ROW_PX) - 1)
  }, [])
  const grid = useGridSelection({
    columns,
    rows,
    page,
    onMove: ({ row, column }) => {
      if (row >= 0) rowList.scrollToIndex(row)
      columnList.scrollToIndex(column)
    },
    onCopied: () => notify({ tone: 'ok', message: t('ui.copySucceeded') }),
  })
  const { selection } = grid
  const active = selection?.focus
  if (active && (active.row !== focus?.row || active.column !== focus.column)) setFocus(active)

  const resize = (column: number, width: number) =>
    setWidths((before) => before.map((old, at) => (at === column ? clampWidth(width) : old)))
  const fit = (column: number) => resize(column, fittedWidth(columns, rows, column))

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
  const pressed = (event: KeyboardEvent) => {
    if (resizeByKey(event) || grid.onKeyDown(event)) event.preventDefault()
  }
  const mouseDown = (event: MouseEvent) => {
    grid.onMouseDown(event)
    if (event.target === scroller.current) return
    // Keeps the browser from selecting text, and with it from moving the focus here.
    event.preventDefault()
    scroller.current?.focus({ preventScroll: true })
  }

  const range = selection && selection.focus.row !== HEADER_ROW ? rangeOf(selection) : null
  const width = columnList.getTotalSize()
  const items = columnList.getVirtualItems()
  return (
    <div className={styles['frame']}>
      <p id={`${id}-hint`} className="visually-hidden">
        {t('editor.grid.resizeHint')}
      </p>
      <div
        ref={scroller}
        role="grid"
        className={styles['grid']}
        tabIndex={0}
        aria-label={label}
        aria-describedby={`${id}-hint`}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + 1}
        aria-multiselectable
        aria-readonly
        aria-activedescendant={active ? cellId(id, active.row, active.column) : undefined}
        onFocus={grid.onFocus}
        onKeyDown={pressed}
        onMouseDown={mouseDown}
        onMouseMove={grid.onMouseMove}
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
        <div role="rowgroup" className={styles['body']} style={{ height: rowList.getTotalSize(), width }}>
          {rowList.getVirtualItems().map(({ index, start }) => {
            const row = rows[index]
            const selected = selectedIn(range, index)
            return (
              row && (
                <GridRow
                  key={index}
                  gridId={id}
                  row={row}
                  index={index}
                  top={start - HEADER_PX}
                  width={width}
                  columns={columns}
                  items={items}
                  selectedFrom={selected.from}
                  selectedTo={selected.to}
                  focusColumn={active?.row === index ? active.column : -1}
                  nullText={t('editor.grid.null')}
                />
              )
            )
          })}
        </div>
      </div>
    </div>
  )
}
