import { lineage, type UsingStatement } from '@boathouse/contract/lineage'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { formatDateTime, formatRelative } from '../../lib/format.ts'
import { askAgainMs, costText } from '../../statement/cost-text.ts'
import { DataTable, EmptyState, Skeleton, Stack, type TableColumn } from '../../ui/index.ts'
import styles from './catalog.module.css'
import { FetchFailed } from './fetch-failed.tsx'
import { NameLink } from './name-link.tsx'
import { type Places, usePlaces } from './places.ts'
import { inputOf, type ThisObject } from './this-object.ts'

/** Of a text, what fits into one line. */
const LINE_LENGTH = 160

/** Who read or wrote it, when, and what that cost. */
export function StatementsTab({ of }: { of: ThisObject }) {
  const places = usePlaces()
  const { data, error, refetch, dataUpdatedAt } = useCall(lineage.statements, inputOf(of), {
    silent: true,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data ? askAgainMs(state.data.list.map(({ entry }) => entry)) : false,
  })
  if (error)
    return <FetchFailed error={error} what={t('catalog.statements.title')} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={200} />
  if (data.list.length === 0)
    return (
      <EmptyState title={t('catalog.statements.none')}>
        <p>{t(data.ofEveryone ? 'catalog.statements.noneWhy' : 'catalog.statements.noneOfYours')}</p>
      </EmptyState>
    )
  return (
    <Stack>
      <DataTable
        label={t('catalog.statements.title')}
        columns={columnsFor(places, dataUpdatedAt)}
        rows={data.list}
        rowKey={({ entry }) => entry.queryId}
      />
      <p className={styles['note']}>
        {t(data.ofEveryone ? 'catalog.statements.note' : 'catalog.statements.ownNote')}
      </p>
    </Stack>
  )
}

const lineOf = (sql: string): string => sql.replaceAll(/\s+/g, ' ').trim().slice(0, LINE_LENGTH)

function what({ reads, writes }: UsingStatement): string {
  if (reads && writes) return t('catalog.statements.both')
  return t(writes ? 'catalog.statements.writes' : 'catalog.statements.reads')
}

const columnsFor = ({ statementOf }: Places, now: number): readonly TableColumn<UsingStatement>[] => [
  {
    key: 'sql',
    header: t('catalog.statements.column.statement'),
    leastPx: 200,
    cell: ({ entry }) => (
      <code>
        <NameLink name={lineOf(entry.sql)} address={statementOf(entry.queryId)} />
      </code>
    ),
  },
  { key: 'what', header: t('catalog.statements.column.what'), cell: what },
  { key: 'user', header: t('catalog.statements.column.user'), cell: ({ entry }) => entry.user },
  {
    key: 'at',
    header: t('catalog.statements.column.last'),
    cell: ({ entry }) => (
      <time dateTime={entry.acceptedAt} title={formatDateTime(entry.acceptedAt)}>
        {formatRelative(entry.acceptedAt, now)}
      </time>
    ),
  },
  {
    key: 'times',
    header: t('catalog.statements.column.times'),
    align: 'end',
    cell: ({ times }) => times.toLocaleString('en'),
  },
  {
    key: 'cost',
    header: t('catalog.statements.column.cost'),
    align: 'end',
    cell: ({ entry }) => costText(entry.cost),
  },
]
