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

/** Whoever is among the rows may soon want them; what cannot be fetched now is asked for again then. */
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

  const cellAt = (cell: Cell | null): OpenedCell | null => {
    const field = cell && view.columns[cell.column]
    const value = cell && view.grid.at(cell.row)?.[cell.column]
    if (!cell || !field || value === undefined) return null
    const length = view.grid.lengthAt(cell.row, cell.column)
    return { queryId, isKept, row: view.rowAt(cell.row), column: field.id, field, value, length }
  }
  const showColumn = (column: number, withFilter: boolean) => {
    grid.current?.goTo({ row: active && active.row >= 0 ? active.row : 0, column })
    setFiltering(withFilter)
    looks.show('column')
  }
  const reorder = (from: number, to: number) => {
    const [moved, target] = [view.columns[from]?.id, view.columns[to]?.id]
    if (moved !== undefined && target !== undefined)
      view.arrangeColumns((before, count) => moveColumn(before, { from: moved, to: target, count }))
  }
  const closeSearch = () => {
    setFound(null)
    looks.search(false)
    grid.current?.focus()
  }
  const pressed = (event: KeyboardEvent) => {
    const isSearch = event.key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey) && !event.shiftKey
    if (!isSearch) return
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
          onReorder={reorder}
          onLook={view.look}
          onOpen={(cell) => setOpened(cellAt(cell))}
          onActive={setActive}
          onSelect={select}
          onCopyMissing={(range) => void copyRange('tsv', range)}
        />
        {view.grid.count === 0 && (
          <div className={styles['overRows']}>
            <EmptyState title={t(rows.count === 0 ? 'editor.result.noRows' : 'resultView.strip.none')}>
              {t(rows.count === 0 ? 'editor.result.noRowsBody' : 'resultView.strip.noneBody')}
            </EmptyState>
          </div>
        )}
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

const SAMPLE_ROWS = 50

function firstOf(grid: ResultView['grid']) {
  return Array.from({ length: Math.min(SAMPLE_ROWS, grid.count) }, (_, at) => grid.at(at) ?? [])
}

/** Behind the last row that is loaded. */
const lastHere = ({ windows, firstRows, count }: ResultRows): number =>
  windows.size > 1 ? count : firstRows.length

/** What is selected is told with what it adds up to. */
function useSelect({ grid }: ResultView, onSelect: Props['onSelect']) {
  return useCallback(
    (range: CellRange | null) => onSelect(range && { range, summary: summarise(grid, range) }),
    [onSelect, grid],
  )
}

/** The answer came without its rows, because it is one of an earlier run: they are read where they are kept. */
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
