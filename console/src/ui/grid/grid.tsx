import type { CSSProperties, Ref } from 'react'
import '../../i18n/grid.ts'
import { t } from '../../i18n/texts.ts'
import { MenuList } from '../menu-list.tsx'
import type { MenuEntry } from '../menu.tsx'
import { DrawnRows } from './drawn-rows.tsx'
import type { GridColumn } from './grid-columns.ts'
import { GridHeader } from './grid-header.tsx'
import type { GridSort } from './grid-header.tsx'
import { cellId } from './grid-row.tsx'
import type { GridDisplay } from './grid-row.tsx'
import type { GridCells, GridRows } from './grid-rows.ts'
import { HEADER_ROW } from './grid-selection.ts'
import type { Cell, CellRange } from './grid-selection.ts'
import styles from './grid.module.css'
import { useGrid } from './use-grid.ts'

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
  /** Copies a range that is not loaded completely; without it, the user is notified that it is not. */
  readonly onCopyMissing?: (range: CellRange) => void
  /** The cell that the keyboard is in. */
  readonly onActive?: (cell: Cell | null) => void
  /** The number of first columns that stay in place. */
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

/** Rows and columns are virtual. */
export function Grid(props: GridProps) {
  const { label, columns, rows, pinned = 0, sort = null, found, display, onReorder, columnMenu } = props
  const grid = useGrid(props)
  const { id, scroller, gutter, layout, items, width, active, range, menuOf, setMenuOf } = grid
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
        {...grid.handlers}
      >
        <GridHeader
          gridId={id}
          width={width}
          columns={columns}
          items={items}
          pinned={pinned}
          sort={sort}
          focusColumn={active?.row === HEADER_ROW ? active.column : -1}
          onResize={grid.resize}
          onFit={grid.fit}
          onReorder={onReorder}
          onMenu={columnMenu && setMenuOf}
        />
        <div role="rowgroup" className={styles['body']} style={{ height: layout.height, width }}>
          <DrawnRows
            gridId={id}
            rows={rows}
            layout={layout}
            range={range}
            active={active}
            found={found}
            {...{ width, columns, items, pinned, display }}
          />
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
