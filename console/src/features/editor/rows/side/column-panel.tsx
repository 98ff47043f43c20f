import { useEffect, useMemo, useRef } from 'react'
import { t } from '../../../../i18n/texts.ts'
import { Properties, Segmented, TextField } from '../../../../ui/index.ts'
import { overWords } from '../over-words.ts'
import { filterRows } from '../view/row-view.ts'
import type { ResultView } from '../view/use-result-view.ts'
import { summariseColumn } from './column-summary.ts'
import type { ColumnSummary } from './column-summary.ts'
import styles from '../view/view.module.css'

interface Props {
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
export function ColumnPanel({ view, rows, column, isFiltering, onFiltering }: Props) {
  const shown = view.columns[column]
  const filter = useRef<HTMLInputElement>(null)
  const id = shown?.id ?? -1
  useEffect(() => {
    if (!isFiltering) return
    filter.current?.focus()
    onFiltering()
  }, [isFiltering, onFiltering])
  const { grid } = view
  const family = shown?.family ?? 'text'
  const summary = useMemo(() => summariseColumn({ grid, rows, column, family }), [grid, rows, column, family])
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
      <Summary
        summary={summary}
        over={overWords({ seen: summary.rows, all: grid.count, isPart: view.isPart })}
      />
    </>
  )
}

const exact = (count: number): string => count.toLocaleString('en-US')
const LONGEST_SHOWN = 60

function Summary({ summary, over }: { summary: ColumnSummary; over: string | null }) {
  const { rows, nulls, distinct, min, max, sum, average, frequent } = summary
  const facts: [string, string | null][] = [
    [t('resultView.summary.rows'), exact(rows)],
    [t('resultView.summary.nulls'), exact(nulls)],
    [t('resultView.summary.distinct'), exact(distinct)],
    [t('resultView.summary.min'), min],
    [t('resultView.summary.max'), max],
    [t('resultView.summary.sum'), sum],
    [t('resultView.summary.average'), average],
  ]
  const most = frequent[0]?.count ?? 1
  return (
    <>
      {over && <p className={styles['over']}>{over}</p>}
      <Properties
        items={facts.flatMap(([name, value]) =>
          value === null ? [] : [[name, value.slice(0, LONGEST_SHOWN)] as const],
        )}
      />
      {frequent.length > 0 && (
        <section aria-label={t('resultView.summary.frequent')}>
          <h3>{t('resultView.summary.frequent')}</h3>
          {frequent.map(({ value, count }) => (
            <div key={value} className={styles['share']}>
              <span style={{ width: `${(100 * count) / most}%` }} />
              <span title={value.slice(0, 300)}>{value === '' ? '""' : value.slice(0, LONGEST_SHOWN)}</span>
              <span>{exact(count)}</span>
            </div>
          ))}
        </section>
      )}
    </>
  )
}
