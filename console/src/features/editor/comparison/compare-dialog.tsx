import { LIMITS } from '@boathouse/contract/limits'
import { query, type EarlierRun } from '@boathouse/contract/query'
import { resultWork } from '@boathouse/contract/result-work'
import { useState } from 'react'
import '../../../i18n/comparison.ts'
import { t } from '../../../i18n/texts.ts'
import { useCall } from '../../../lib/api.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { Dialog, EmptyState, ErrorState, Select, Skeleton, Spinner } from '../../../ui/index.ts'
import { ColumnNames } from '../rows/column-names.tsx'
import styles from './comparison.module.css'
import { Differences } from './differences.tsx'

interface Props {
  readonly queryId: string
  /** Of the result. */
  readonly columns: readonly { readonly name: string }[]
  readonly onClose: () => void
}

/** The rows of this run beside those of another run of the same text. */
export function CompareDialog({ queryId, columns, onClose }: Props) {
  const detail = useCall(query.detail, { queryId }, { silent: true, staleTime: 0 })
  const own = detail.data?.entry
  const runs = (detail.data?.runs ?? []).filter(
    (run) => run.queryId !== queryId && run.state === 'finished' && run.user === own?.user,
  )
  return (
    <Dialog open onClose={onClose} title={t('comparison.title')} width={920}>
      {detail.error && (
        <ErrorState
          title={t('comparison.failed')}
          what={detail.error.message}
          onRetry={() => void detail.refetch()}
        />
      )}
      {detail.isPending && <Skeleton height={320} />}
      {detail.data && runs.length === 0 && (
        <EmptyState title={t('comparison.noRuns')}>{t('comparison.noRunsBody')}</EmptyState>
      )}
      {own && runs.length > 0 && (
        <Compared queryId={queryId} runs={runs} acceptedAt={own.acceptedAt} columns={columns} />
      )}
    </Dialog>
  )
}

interface ComparedProps extends Pick<Props, 'queryId' | 'columns'> {
  /** Newest first. */
  readonly runs: readonly EarlierRun[]
  readonly acceptedAt: string
}

function Compared({ queryId, columns, runs, acceptedAt }: ComparedProps) {
  const usual = runs.find((run) => run.acceptedAt < acceptedAt) ?? runs[0]
  const [earlierId, setEarlier] = useState(usual?.queryId ?? '')
  const [names, setNames] = useState<readonly string[]>([])
  const keys = names.map((name) => columns.findIndex((column) => column.name === name))
  const { data, error, refetch } = useCall(
    resultWork.compare,
    { queryId, earlierId, keys },
    { silent: true, staleTime: Infinity },
  )
  return (
    <div className={styles['compared']}>
      <div className={styles['choices']}>
        <Select
          label={t('comparison.with')}
          options={runs.map((run) => ({ value: run.queryId, label: runName(run) }))}
          value={earlierId}
          onChange={setEarlier}
        />
        <ColumnNames
          label={(number) => t('comparison.key', { number })}
          add={t('comparison.addKey')}
          most={LIMITS.comparedKeys}
          names={names}
          free={columns.filter(({ name }) => !names.includes(name))}
          onChange={setNames}
        />
      </div>
      {names.length === 0 && <p className={styles['note']}>{t('comparison.keyHelp')}</p>}
      {error && (
        <ErrorState title={t('comparison.failed')} what={error.message} onRetry={() => void refetch()} />
      )}
      {!error && !data && <Spinner label={t('comparison.computing')} />}
      {data && <Differences key={`${earlierId} ${names.join()}`} of={data} hasKey={names.length > 0} />}
    </div>
  )
}

function runName({ endedAt, acceptedAt, rows }: EarlierRun): string {
  const time = formatDateTime(endedAt ?? acceptedAt)
  if (rows === null) return time
  const words = t('comparison.rows', { count: rows, shown: rows.toLocaleString('en-US') })
  return t('comparison.run', { time, rows: words })
}
