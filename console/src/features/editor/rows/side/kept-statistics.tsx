import { resultWork } from '@boathouse/contract/result-work'
import { t } from '../../../../i18n/texts.ts'
import { useCall } from '../../../../lib/api.ts'
import { StatisticsView } from '../../../../statement/statistics/statistics-view.tsx'
import { Button, Spinner } from '../../../../ui/index.ts'
import { useRested } from '../use-rested.ts'
import { overWords } from '../over-words.ts'
import type { ResultView } from '../view/use-result-view.ts'
import { valueChoice } from './value-choice.ts'
import styles from '../view/view.module.css'

interface Props {
  readonly queryId: string
  readonly view: ResultView
  /** Place in the result. */
  readonly column: number
}

const exact = (count: number): string => count.toLocaleString('en-US')

/** Of all rows that are kept and pass the filters: the service computes them. Who leaves ends that. */
export function KeptStatistics({ queryId, view, column }: Props) {
  const filters = useRested(view.rowView.filters)
  const { data, error, isFetching, refetch } = useCall(
    resultWork.columnStatistics,
    { queryId, column, filters: [...filters].map(([at, written]) => ({ column: at, written })) },
    { silent: true, staleTime: Infinity, placeholderData: (before) => before },
  )
  if (error)
    return (
      <p role="alert">
        {t('statistics.failed')} {error.message}{' '}
        <Button size="sm" onClick={() => void refetch()}>
          {t('ui.retry')}
        </Button>
      </p>
    )
  if (!data) return <Spinner label={t('statistics.loading')} />
  const { rows, totalRows, complete } = data
  const over = overWords({ seen: totalRows, all: totalRows, isPart: !complete })
  return (
    <div className={styles['statistics']} aria-busy={isFetching}>
      {over && <p className={styles['over']}>{over}</p>}
      {rows < totalRows && (
        <p className={styles['matching']}>{t('statistics.matching', { count: rows, shown: exact(rows) })}</p>
      )}
      <StatisticsView of={data} choice={valueChoice(view, column)} />
    </div>
  )
}
