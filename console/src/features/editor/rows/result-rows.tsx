import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { t } from '../../../i18n/texts.ts'
import { Button, EmptyState, ErrorState, Spinner } from '../../../ui/index.ts'
import { CellViewer } from './cell-viewer.tsx'
import { summarise } from './selection-summary.ts'
import type { SelectionSummary } from './selection-summary.ts'
import { useCopyRange } from './use-copy-range.ts'
import type { Cell, CellRange } from '../../../ui/grid/grid-selection.ts'
import { IconAlertTriangle } from '../icons.ts'
import { Grid } from '../../../ui/grid/grid.tsx'
import type { GridHandle } from '../../../ui/grid/grid.tsx'
import type { FoundCells } from './search/find-cells.ts'
import type { Looks } from './use-looks.ts'
import type { ResultRows } from './use-result-rows.ts'
import type { OpenedCell } from './value/use-whole-text.ts'
import { columnMenu } from './view/column-menu.ts'
import { moveColumn } from './view/column-view.ts'
import { displaying } from './view/display.ts'
import type { ResultView } from './view/use-result-view.ts'
import styles from '../results/results.module.css'

const loadSide = () => import('./side/result-side.tsx')
const loadSearch = () => import('./search/search-bar.tsx')
const ResultSide = lazy(async () => ({ default: (await loadSide()).ResultSide }))
const SearchBar = lazy(async () => ({ default: (await loadSearch()).SearchBar }))

/** A user who is in the rows may need them soon. If this fails, they are loaded when they are needed. */
const fetchAhead = () => void Promise.allSettled([loadSide(), loadSearch()])

interface Props {
  /** Under which its rows are kept. */
  readonly queryId: string
  readonly isKept: boolean
  readonly rows: ResultRows
  readonly view: ResultView
  readonly looks: Looks
  /** More than one cell; null: no such selection. The summary is null while not all of it is here. */
  readonly onSelect: (selected: { range: CellRange; summary: SelectionSummary | null } | null) => void
}

export function RowsResult({ queryId, isKept, rows, view, looks, onSelect }: Props) {
  const grid = useRef<GridHandle>(null)
  const [opened, setOpened] = useState<OpenedCell | null>(null)
  const [active, setActive] = useState<Cell | null>(null)
  const [found, setFound] = useState<FoundCells | null>(null)
  const [isFiltering, setFiltering] = useState(false)
  const endFiltering = useCallback(() => setFiltering(false), [])
  const copyRange = useCopyRange(view)
  const select = useSelect(view, onSelect)
  useEffect(() => () => onSelect(null), [onSelect])
  const display = useMemo(() => displaying(looks.display), [looks.display])
  const sample = useMemo(() => firstOf(view.grid), [view.grid])
  if (rows.fields === null) return <RowsToCome rows={rows} />

  const cellAt = (cell: Cell | null) => openedAt(view, { queryId, isKept }, cell)
  const showColumn = (column: number, withFilter: boolean) => {
    grid.current?.goTo({ row: active && active.row >= 0 ? active.row : 0, column })
    setFiltering(withFilter)
    looks.show('column')
  }
  const closeSearch = () => {
    setFound(null)
    looks.search(false)
    grid.current?.focus()
  }
  const pressed = (event: KeyboardEvent) => {
    if (!isSearchKey(event)) return
    event.preventDefault()
    looks.search(true)
  }
  const { sort } = view.rowView
  return (
    // Keys that come up from the rows.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={styles['rows']} onKeyDown={pressed} onFocus={fetchAhead}>
      <div className={styles['grid']}>
        <Grid
          ref={grid}
          label={t('editor.grid.label')}
          columns={view.columns}
          rows={view.grid}
          sample={sample}
          pinned={view.pinned}
          sort={sort && { ...sort, column: view.columns.findIndex(({ id }) => id === sort.column) }}
          {...(found ? { found: found.byRow } : {})}
          {...(display ? { display } : {})}
          columnMenu={(column) =>
            columnMenu({
              view,
              column,
              onFilter: () => showColumn(column, true),
              onSummary: () => showColumn(column, false),
            })
          }
          onReorder={(from, to) => reorder(view, from, to)}
          onLook={view.look}
          onOpen={(cell) => setOpened(cellAt(cell))}
          onActive={setActive}
          onSelect={select}
          onCopyMissing={(range) => void copyRange('tsv', range)}
        />
        {view.grid.count === 0 && <NoRows isResultEmpty={rows.count === 0} />}
        {looks.isSearching && (
          <Suspense>
            <SearchBar
              view={view}
              rows={view.isArranged ? view.grid.count : lastHere(rows)}
              active={active}
              onFound={setFound}
              onGoTo={(cell) => grid.current?.goTo(cell)}
              onClose={closeSearch}
            />
          </Suspense>
        )}
      </div>
      {looks.shown !== 'nothing' && (
        <Suspense>
          <ResultSide
            shown={looks.shown}
            queryId={isKept ? queryId : null}
            view={view}
            rows={view.rowsHere}
            active={active}
            cell={cellAt(active)}
            isFiltering={isFiltering}
            onFiltering={endFiltering}
            onShow={looks.show}
          />
        </Suspense>
      )}
      <CellViewer cell={opened} onClose={() => setOpened(null)} />
    </div>
  )
}

const isSearchKey = (event: KeyboardEvent): boolean =>
  event.key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey) && !event.shiftKey

function openedAt(
  view: ResultView,
  kept: Pick<OpenedCell, 'queryId' | 'isKept'>,
  cell: Cell | null,
): OpenedCell | null {
  const field = cell && view.columns[cell.column]
  const value = cell && view.grid.at(cell.row)?.[cell.column]
  if (!cell || !field || value === undefined) return null
  const length = view.grid.lengthAt(cell.row, cell.column)
  return { ...kept, row: view.rowAt(cell.row), column: field.id, field, value, length }
}

function reorder(view: ResultView, from: number, to: number): void {
  const [moved, target] = [view.columns[from]?.id, view.columns[to]?.id]
  if (moved !== undefined && target !== undefined)
    view.arrangeColumns((before, count) => moveColumn(before, { from: moved, to: target, count }))
}

/** The result has no rows, or the filter leaves none. */
function NoRows({ isResultEmpty }: { isResultEmpty: boolean }) {
  return (
    <div className={styles['overRows']}>
      <EmptyState title={t(isResultEmpty ? 'editor.result.noRows' : 'resultView.strip.none')}>
        {t(isResultEmpty ? 'editor.result.noRowsBody' : 'resultView.strip.noneBody')}
      </EmptyState>
    </div>
  )
}

const SAMPLE_ROWS = 50

function firstOf(grid: ResultView['grid']) {
  return Array.from({ length: Math.min(SAMPLE_ROWS, grid.count) }, (_, at) => grid.at(at) ?? [])
}

/** Behind the last row that is loaded. */
const lastHere = ({ windows, firstRows, count }: ResultRows): number =>
  windows.size > 1 ? count : firstRows.length

/** Reports the selection with its summary. */
function useSelect({ grid }: ResultView, onSelect: Props['onSelect']) {
  return useCallback(
    (range: CellRange | null) => onSelect(range && { range, summary: summarise(grid, range) }),
    [onSelect, grid],
  )
}

/** The answer is one of an earlier run and has no rows: they are read from the kept result. */
function RowsToCome({ rows }: { rows: ResultRows }) {
  if (rows.failure)
    return (
      <ErrorState title={t('editor.result.rowsFailed')} what={rows.failure.message} onRetry={rows.retry} />
    )
  return (
    <div className={styles['running']}>
      <Spinner label={t('editor.result.loadingRows')} />
    </div>
  )
}

interface Failed {
  readonly failure: Error | null
  readonly retry: () => void
}

/** Above the rows that are here, when others could not be loaded. */
export function RowsFailure({ rows }: { rows: Failed }) {
  if (!rows.failure) return null
  return (
    <div className={styles['strip']} role="alert">
      <IconAlertTriangle size={16} stroke={1.8} aria-hidden />
      <p className={styles['stripText']}>
        {t('editor.result.moreRowsFailed')} {rows.failure.message}
      </p>
      <Button size="sm" onClick={rows.retry}>
        {t('ui.retry')}
      </Button>
    </div>
  )
}
