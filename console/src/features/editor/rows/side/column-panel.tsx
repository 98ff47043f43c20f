import { useEffect, useMemo, useRef } from 'react'
import { t } from '../../../../i18n/texts.ts'
import { Segmented, TextField } from '../../../../ui/index.ts'
import { StatisticsView } from '../../../../statement/statistics/statistics-view.tsx'
import { overWords } from '../over-words.ts'
import { filterRows } from '../view/row-view.ts'
import type { ResultView } from '../view/use-result-view.ts'
import { summariseColumn } from './column-summary.ts'
import { KeptStatistics } from './kept-statistics.tsx'
import { valueChoice } from './value-choice.ts'
import styles from '../view/view.module.css'

interface Props {
  /** Under which its rows are kept; null: nowhere. */
  readonly queryId: string | null
  readonly view: ResultView
  /** Rows that are here, from the first on. */
  readonly rows: number
  /** Place among those that are shown. */
  readonly column: number
  /** The user wants to write a filter. */
  readonly isFiltering: boolean
  /** The filter has the keyboard now. */
  readonly onFiltering: () => void
}

type Sorting = 'none' | 'ascending' | 'descending'
const SORTINGS: readonly Sorting[] = ['none', 'ascending', 'descending']

/** One column: sorted, filtered and summed up. */
export function ColumnPanel({ queryId, view, rows, column, isFiltering, onFiltering }: Props) {
  const shown = view.columns[column]
  const filter = useRef<HTMLInputElement>(null)
  const id = shown?.id ?? -1
  useEffect(() => {
    if (!isFiltering) return
    filter.current?.focus()
    onFiltering()
  }, [isFiltering, onFiltering])
  if (!shown) return null
  const { sort, filters } = view.rowView
  const sorting = sort?.column !== id ? 'none' : sort.descending ? 'descending' : 'ascending'
  const sortBy = (next: Sorting) =>
    view.arrangeRows((before) => ({
      ...before,
      sort: next === 'none' ? null : { column: id, descending: next === 'descending' },
    }))
  return (
    <>
      <h3>{shown.name}</h3>
      <Segmented
        label={t('resultView.sort.label')}
        value={sorting}
        segments={SORTINGS.map((value) => ({ value, label: t(`resultView.sort.${value}`) }))}
        onChange={sortBy}
      />
      <TextField
        ref={filter}
        label={t('resultView.filter.label')}
        help={t('resultView.filter.help')}
        mono
        value={filters.get(id) ?? ''}
        onChange={(event) => view.arrangeRows((before) => filterRows(before, id, event.target.value))}
      />
      {queryId === null ? (
        <HereStatistics view={view} rows={rows} column={column} />
      ) : (
        <KeptStatistics key={id} queryId={queryId} view={view} column={id} />
      )}
    </>
  )
}

/** Of the rows that are here. */
function HereStatistics({ view, rows, column }: Pick<Props, 'view' | 'rows' | 'column'>) {
  const { grid, columns, isPart } = view
  const { id, family = 'text' } = columns[column] ?? {}
  const found = useMemo(() => summariseColumn({ grid, rows, column, family }), [grid, rows, column, family])
  const over = overWords({ seen: found.rows, all: grid.count, isPart })
  return (
    <>
      {over && <p className={styles['over']}>{over}</p>}
      <StatisticsView of={found} choice={id === undefined ? undefined : valueChoice(view, id)} />
    </>
  )
}
