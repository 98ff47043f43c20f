import type { Output, Sent } from '@boathouse/contract/call'
import { usage } from '@boathouse/contract/usage'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { askAgainMs, costText } from '../../statement/cost-text.ts'
import { DataTable, EmptyState, ErrorState, Pager, Skeleton, type TableColumn } from '../../ui/index.ts'
import { CostParts } from './cost-parts.tsx'
import styles from './usage.module.css'

type Statement = Output<typeof usage.byStatement>['statements'][number]

const PAGE_SIZE = 20
/** Of a text, what fits into one line on a wide screen. */
const SHOWN = 240

const lineOf = (sql: string): string => sql.replaceAll(/\s+/g, ' ').trim().slice(0, SHOWN)

interface Props {
  readonly question: Omit<Sent<typeof usage.byStatement>, 'page' | 'pageSize'>
}

/** What statements cost, the most costly first, and what was nobody's. */
export function CostlyStatements({ question }: Props) {
  const [page, setPage] = useState(1)
  const { data, isError, refetch } = useCall(
    usage.byStatement,
    { ...question, page, pageSize: PAGE_SIZE },
    {
      silent: true,
      placeholderData: (before) => before,
      refetchInterval: ({ state }) => askAgainMs(state.data?.statements ?? []),
    },
  )
  if (isError) return <ErrorState title={t('usage.explain.failed')} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={160} />
  return (
    <>
      {data.count === 0 ? (
        <EmptyState title={t('usage.explain.noStatements')}>{t('usage.explain.noStatementsText')}</EmptyState>
      ) : (
        <DataTable
          wide
          label={t('usage.explain.statements')}
          rows={data.statements}
          rowKey={({ queryId }) => queryId}
          columns={columnsOf()}
        />
      )}
      <CostParts parts={data} />
      <Pager
        label={t('usage.explain.statements')}
        page={page}
        pageSize={PAGE_SIZE}
        total={data.count}
        onPage={setPage}
      />
    </>
  )
}

/** In a function: the texts of the page are there when it is shown. */
const columnsOf = (): TableColumn<Statement>[] => [
  {
    key: 'user',
    header: t('usage.explain.user'),
    cell: ({ user }) => user ?? t('usage.explain.unknownUser'),
  },
  {
    key: 'sql',
    header: t('usage.explain.statement'),
    leastPx: 220,
    cell: ({ sql }) =>
      sql === null ? (
        <span className={styles['note']}>{t('usage.explain.notShown')}</span>
      ) : (
        <code title={sql}>{lineOf(sql)}</code>
      ),
  },
  {
    key: 'started',
    header: t('usage.explain.started'),
    cell: ({ startedAt }) => (startedAt ? formatDateTime(startedAt) : ''),
  },
  {
    key: 'time',
    header: t('usage.explain.time'),
    align: 'end',
    cell: ({ micros }) => t('usage.explain.seconds', { seconds: (micros / 1e6).toFixed(3) }),
  },
  { key: 'usd', header: t('usage.columns.usd'), align: 'end', cell: usdOf },
]

/** The one price of the statement; beside it the part of it that is of this hour or month, when that is not all. */
const usdOf = ({ usd, cost }: Statement) =>
  usd === cost.usd ? (
    costText(cost)
  ) : (
    <span title={t('usage.explain.partOfHint')}>
      {t('usage.explain.partOf', { usd, whole: costText(cost) })}
    </span>
  )
