import type { PivotSettings } from '@boathouse/contract/pivot'
import { resultWork, type PivotTable } from '@boathouse/contract/result-work'
import { useMemo, useState } from 'react'
import '../../../i18n/pivot.ts'
import { t } from '../../../i18n/texts.ts'
import { useCall } from '../../../lib/api.ts'
import { saveBlob } from '../../../lib/save-file.ts'
import styles from '../../../statement/chart/chart.module.css'
import { Grid } from '../../../ui/grid/grid.tsx'
import { Button, EmptyState, ErrorState, IconButton, Spinner, useCopy } from '../../../ui/index.ts'
import { IconLayoutSidebar } from '../../../ui/icons.ts'
import { copyAs } from '../rows/copy-formats.ts'
import { overWords } from '../rows/over-words.ts'
import { useRested } from '../rows/use-rested.ts'
import type { ResultView } from '../rows/view/use-result-view.ts'
import { fittingPivot, OF_ROWS } from './pivot-columns.ts'
import { pivotGrid } from './pivot-grid.ts'
import { PivotSettingsPanel } from './pivot-settings.tsx'

interface Props {
  /** Under which its rows are kept; null: nowhere. */
  readonly queryId: string | null
  readonly kept: PivotSettings | null
  readonly view: ResultView
  readonly onChange: (settings: PivotSettings) => void
}

const exact = (count: number): string => count.toLocaleString('en-US')

/** All kept rows in a table of two directions, computed by the service. */
export function PivotView({ queryId, kept, view, onChange }: Props) {
  const { columns, grid, rowsHere: rows } = view
  const [areSettingsShown, setSettingsShown] = useState(true)
  const settings = useMemo(() => fittingPivot(kept, { columns, grid, rows }), [kept, columns, grid, rows])
  const change = (next: Partial<PivotSettings>) => onChange({ ...settings, ...next })
  if (queryId === null) return <EmptyState title={t('pivot.notKept')}>{t('pivot.notKeptBody')}</EmptyState>
  return (
    <div className={styles['chart']}>
      <Computed
        queryId={queryId}
        settings={settings}
        view={view}
        onChange={change}
        more={
          <IconButton
            size="sm"
            label={t(areSettingsShown ? 'pivot.hideSettings' : 'pivot.showSettings')}
            aria-expanded={areSettingsShown}
            onClick={() => setSettingsShown(!areSettingsShown)}
          >
            <IconLayoutSidebar size={14} aria-hidden />
          </IconButton>
        }
        aside={
          areSettingsShown && <PivotSettingsPanel settings={settings} columns={columns} onChange={change} />
        }
      />
    </div>
  )
}

interface ComputedProps {
  readonly queryId: string
  readonly settings: PivotSettings
  readonly view: ResultView
  readonly onChange: (change: Partial<PivotSettings>) => void
  readonly more: React.ReactNode
  readonly aside: React.ReactNode
}

/** Who leaves, or changes what is wanted, ends the work on it. */
function Computed({ queryId, settings, view, onChange, more, aside }: ComputedProps) {
  const filters = useRested(view.rowView.filters)
  const placeOf = (name: string) => view.columns.find((column) => column.name === name)?.id ?? 0
  const { data, error, isFetching, refetch } = useCall(
    resultWork.pivot,
    {
      queryId,
      rows: settings.rows.map(placeOf),
      columns: settings.columns.map(placeOf),
      values: settings.values.map(({ column, aggregate }) => ({
        column: column === OF_ROWS ? null : placeOf(column),
        aggregate,
      })),
      filters: [...filters].map(([column, written]) => ({ column, written })),
      sort: settings.sort,
    },
    { silent: true, staleTime: Infinity },
  )
  const copy = useCopy()
  const shown = useMemo(() => data && pivotGrid(data, settings), [data, settings])
  const copied = shown && { columns: shown.columns, rows: shown.lines }
  return (
    <>
      <div className={styles['bar-of-chart']}>
        {data && <Notes of={data} isFiltered={filters.size > 0} />}
        <span className={styles['grow']} />
        {copied && (
          <>
            <Button size="sm" onClick={() => copy(copyAs('tsv', copied))}>
              {t('pivot.copy')}
            </Button>
            <Button
              size="sm"
              onClick={() => saveBlob('pivot.csv', new Blob([copyAs('csv', copied)], { type: 'text/csv' }))}
            >
              {t('pivot.download')}
            </Button>
          </>
        )}
        {more}
      </div>
      <div className={styles['body']}>
        <div className={styles['main']} aria-busy={isFetching}>
          {error && (
            <ErrorState title={t('pivot.failed')} what={error.message} onRetry={() => void refetch()} />
          )}
          {!error && !shown && <Spinner label={t('pivot.computing')} />}
          {shown && !error && <PivotGrid shown={shown} settings={settings} onChange={onChange} />}
        </div>
        {aside}
      </div>
    </>
  )
}

interface PivotGridProps {
  readonly shown: ReturnType<typeof pivotGrid>
  readonly settings: PivotSettings
  readonly onChange: (change: Partial<PivotSettings>) => void
}

const lookAtNothing = (): void => undefined
const SAMPLE_ROWS = 50

function PivotGrid({ shown: { columns, lines }, settings, onChange }: PivotGridProps) {
  const { value, descending } = settings.sort
  const sorted = columns.findIndex(({ sort }) => sort?.value === value)
  const sortBy = (by: number | null, isDescending: boolean) => () =>
    onChange({ sort: { value: by, descending: isDescending } })
  return (
    <Grid
      label={t('pivot.table')}
      columns={columns.map((column, id) => ({ ...column, id }))}
      rows={{ count: lines.length, at: (at) => lines[at], lengthAt: () => undefined }}
      sample={lines.slice(0, SAMPLE_ROWS)}
      pinned={Math.min(1, settings.rows.length)}
      sort={sorted >= 0 ? { column: sorted, descending } : null}
      columnMenu={(at) => {
        const by = columns[at]?.sort
        return by
          ? [
              { label: t('pivot.ascending'), onSelect: sortBy(by.value, false) },
              { label: t('pivot.descending'), onSelect: sortBy(by.value, true) },
            ]
          : []
      }}
      onLook={lookAtNothing}
      onOpen={lookAtNothing}
    />
  )
}

/** What is not in the table. */
function Notes({ of, isFiltered }: { of: PivotTable; isFiltered: boolean }) {
  const { rows, allRows, heads, allHeads, totalRows, complete } = of
  const notes = [
    overWords({ seen: totalRows, all: totalRows, isPart: !complete }),
    isFiltered ? t('pivot.filtered') : null,
    allRows > rows.length ? t('pivot.moreRows', { shown: exact(rows.length), all: exact(allRows) }) : null,
    allHeads > heads.length
      ? t('pivot.moreHeads', { shown: exact(heads.length), all: exact(allHeads) })
      : null,
  ].filter((note) => note !== null)
  return notes.length > 0 && <span className={styles['note']}>{notes.join(' ')}</span>
}
