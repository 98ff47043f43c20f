import { useEffect, useId, useImperativeHandle, useState } from 'react'
import type { CSSProperties, KeyboardEvent, MouseEvent, Ref } from 'react'
import '../../i18n/grid.ts'
import { t } from '../../i18n/texts.ts'
import { MenuList } from '../menu-list.tsx'
import type { MenuEntry } from '../menu.tsx'
import { notify } from '../toasts.tsx'
import { gutterWidth, RESIZE_STEP_PX } from './grid-columns.ts'
import type { GridColumn } from './grid-columns.ts'
import { GridHeader } from './grid-header.tsx'
import type { GridSort } from './grid-header.tsx'
import { cellId, GridRow } from './grid-row.tsx'
import type { GridDisplay } from './grid-row.tsx'
import type { GridCells, GridRows } from './grid-rows.ts'
import { HEADER_ROW, rangeOf } from './grid-selection.ts'
import type { Cell, CellRange } from './grid-selection.ts'
import styles from './grid.module.css'
import { useFixedRows } from '../rows/use-fixed-rows.ts'
import { useGridColumns } from './use-grid-columns.ts'
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
  /** The cell that the keyboard is in. */
  readonly onActive?: (cell: Cell | null) => void
  /** So many of the first columns stay where they are. */
  readonly pinned?: number
  readonly sort?: GridSort | null
  /** What can be done with a column, from its header. */
  readonly columnMenu?: (column: number) => readonly MenuEntry[]
  readonly onReorder?: (from: number, to: number) => void
  /** Where something was found, by row. */
  readonly found?: ReadonlyMap<number, ReadonlySet<number>>
  readonly display?: GridDisplay
  readonly ref?: Ref<GridHandle>
}

export interface GridHandle {
  focus(): void
  goTo(cell: Cell): void
}

const HEADER_PX = 28
const ROW_PX = 26

/** The focused row is always drawn, so that what is read out exists. */
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

function useTellActive(active: Cell | undefined, onActive: GridProps['onActive']): void {
  const { row, column } = active ?? {}
  useEffect(() => {
    onActive?.(row === undefined || column === undefined ? null : { row, column })
  }, [onActive, row, column])
}

/** Rows and columns are virtual. */
export function Grid(props: GridProps) {
  const { label, columns, rows, sample, pinned = 0, sort = null, found, display, ref } = props
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
    onCopied: useTellCopied(),
    ...(onCopyMissing ? { onCopyMissing } : {}),
  })
  const { selection } = grid
  const active = selection?.focus
  if (active && (active.row !== focus?.row || active.column !== focus.column)) setFocus(active)
  useTellActive(active, onActive)
  useImperativeHandle(ref, () => ({
    focus: () => scroller.current?.focus({ preventScroll: true }),
    goTo: grid.goTo,
  }))

  /** In the header: Alt with left and right, and Enter; with Shift, too, the column itself moves. */
  const changeColumnByKey = (event: KeyboardEvent): boolean => {
    if (active?.row !== HEADER_ROW) return false
    const { column } = active
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) fit(column)
    else if (!event.altKey || !step) return false
    else if (!event.shiftKey) resize(column, (widths[column] ?? 0) + step * RESIZE_STEP_PX)
    else if (column + step >= 0 && column + step < columns.length) {
      onReorder?.(column, column + step)
      grid.goTo({ row: HEADER_ROW, column: column + step })
    }
    return true
  }
  const openMenuByKey = (event: KeyboardEvent): boolean => {
    const isMenuKey = event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')
    const isMeant = isMenuKey || (event.altKey && event.key === 'ArrowDown')
    if (!isMeant || !active || !columnMenu) return false
    setMenuOf(active.column)
    return true
  }
  const openByKey = (event: KeyboardEvent): boolean => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || !active) return false
    onOpen(active)
    return true
  }
  const pressed = (event: KeyboardEvent) => {
    // Menus below it are its children for React, and have keys of their own.
    if (event.target !== scroller.current) return
    if (changeColumnByKey(event) || openMenuByKey(event) || openByKey(event) || grid.onKeyDown(event))
      event.preventDefault()
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
  const click = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest('[data-open]')) open(event)
  }

  const range = selection && selection.focus.row !== HEADER_ROW ? rangeOf(selection) : null
  useTellSelected(range, onSelect)
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
        onContextMenu={openMenu}
        onCopy={grid.onCopy}
      >
        <GridHeader
          gridId={id}
          width={width}
          columns={columns}
          items={items}
          pinned={pinned}
          sort={sort}
          focusColumn={active?.row === HEADER_ROW ? active.column : -1}
          onResize={resize}
          onFit={fit}
          onReorder={onReorder}
          onMenu={columnMenu && setMenuOf}
        />
        <div role="rowgroup" className={styles['body']} style={{ height: layout.height, width }}>
          {drawnRows(layout, active?.row).map((index) => {
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
                pinned={pinned}
                found={found?.get(index)}
                display={display}
                selectedFrom={selected.from}
                selectedTo={selected.to}
                focusColumn={active?.row === index ? active.column : -1}
                nullText={t('grid.null')}
              />
            )
          })}
        </div>
      </div>
      {menuOf !== null && columnMenu && (
        <ColumnMenu
          header={cellId(id, HEADER_ROW, menuOf)}
          name={columns[menuOf]?.name ?? ''}
          entries={columnMenu(menuOf)}
          onClose={(returns) => {
            setMenuOf(null)
            if (returns) scroller.current?.focus({ preventScroll: true })
          }}
        />
      )}
    </div>
  )
}

interface ColumnMenuProps {
  /** Its id. */
  readonly header: string
  readonly name: string
  readonly entries: readonly MenuEntry[]
  readonly onClose: (returns: boolean) => void
}

function ColumnMenu({ header, name, entries, onClose }: ColumnMenuProps) {
  const anchor = document.getElementById(header)
  if (!anchor) return null
  const label = t('grid.columnMenu', { name })
  return (
    <MenuList
      id={`${header}-menu`}
      label={label}
      anchor={anchor}
      beside={{ side: 'bottom', align: 'start' }}
      width={230}
      entries={entries}
      onClose={onClose}
    />
  )
}
