import { type HistoryEntry, query } from '@boathouse/contract/query'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { queryKeyOf, send } from '../../../lib/api.ts'
import { formatDateTime, formatDuration } from '../../../lib/format.ts'
import {
  Button,
  DataTable,
  Dialog,
  EmptyState,
  ErrorState,
  Spinner,
  Switch,
  TextField,
} from '../../../ui/index.ts'
import type { TableColumn } from '../../../ui/index.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import type { DialogProps } from '../tabs/query-dialogs.tsx'
import styles from './history-dialog.module.css'

const PAGE = 50

interface Props extends DialogProps {
  readonly onInsert: (text: string) => void
}

/** What the user ran, newest first: of the tab or of all, searched in what is loaded. */
export function HistoryDialog({ asked, open, onClose, onInsert }: Props) {
  const { resultMemory } = useEditorRuntime()
  const [search, setSearch] = useState('')
  const [isOfTab, setOfTab] = useState(false)
  const pages = useInfiniteQuery({
    queryKey: [...queryKeyOf(query.history), 'editor'],
    queryFn: ({ pageParam, signal }) =>
      send(
        query.history,
        { limit: PAGE, ...(pageParam ? { after: pageParam } : {}) },
        { signal, silent: true },
      ),
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
    enabled: open,
    staleTime: 0,
  })
  const [ran] = useState(() => new Set(resultMemory.requestsOf(asked.id)))
  const entries = pages.data?.pages.flatMap((page) => page.entries) ?? []
  const text = search.trim().toLowerCase()
  const shown = entries.filter(
    (entry) => (!isOfTab || ran.has(entry.requestId)) && entry.sql.toLowerCase().includes(text),
  )
  const isNothing = entries.length === 0
  const showAll = () => {
    setSearch('')
    setOfTab(false)
  }
  const insert = async (entry: HistoryEntry) => {
    const whole = entry.sqlCut ? (await send(query.detail, { queryId: entry.queryId })).entry.sql : entry.sql
    onClose()
    onInsert(whole)
  }
  return (
    <Dialog open={open} onClose={onClose} title={t('editor.history.title')} width={960}>
      <div className={styles['filters']}>
        <TextField
          label={t('editor.history.search')}
          hideLabel
          placeholder={t('editor.history.search')}
          value={search}
          data-autofocus
          onChange={(event) => setSearch(event.target.value)}
        />
        <Switch label={t('editor.history.mine')} checked={isOfTab} onChange={setOfTab} />
      </div>
      {pages.isPending && <Spinner label={t('editor.history.loading')} />}
      {pages.isError && (
        <ErrorState
          title={t('editor.history.failed')}
          what={pages.error.message}
          onRetry={() => void pages.refetch()}
        />
      )}
      {pages.data && shown.length === 0 && (
        <EmptyState
          title={t(isNothing ? 'editor.history.empty' : 'editor.history.noMatch')}
          actions={!isNothing && <Button onClick={showAll}>{t('editor.history.showAll')}</Button>}
        >
          <p>{t(isNothing ? 'editor.history.emptyWhy' : 'editor.history.noMatchWhy')}</p>
        </EmptyState>
      )}
      {shown.length > 0 && <Entries entries={shown} onInsert={(entry) => void insert(entry)} />}
      {pages.hasNextPage && (
        <Button size="sm" loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          {t('editor.history.older')}
        </Button>
      )}
    </Dialog>
  )
}

const tookOf = ({ durationMs }: HistoryEntry): string => formatDuration(durationMs ?? Number.NaN)

interface EntriesProps {
  readonly entries: HistoryEntry[]
  readonly onInsert: (entry: HistoryEntry) => void
}

function Entries({ entries, onInsert }: EntriesProps) {
  return (
    <div className={styles['list']}>
      <DataTable
        label={t('editor.history.title')}
        rows={entries}
        rowKey={(entry) => entry.queryId}
        columns={columnsOf(onInsert)}
      />
    </div>
  )
}

const columnsOf = (onInsert: EntriesProps['onInsert']): TableColumn<HistoryEntry>[] => [
  {
    key: 'when',
    header: t('editor.history.when'),
    cell: (entry) => <span className={styles['when']}>{formatDateTime(entry.acceptedAt)}</span>,
  },
  {
    key: 'statement',
    header: t('editor.history.statement'),
    cell: (entry) => (
      <code className={styles['text']} title={entry.error || entry.sql}>
        {entry.sql}
      </code>
    ),
  },
  {
    key: 'state',
    header: t('editor.history.state'),
    cell: (entry) => t(`editor.history.states.${entry.state}`),
  },
  { key: 'took', header: t('editor.history.took'), align: 'end', cell: tookOf },
  {
    key: 'rows',
    header: t('editor.history.rows'),
    align: 'end',
    cell: (entry) => entry.rows?.toLocaleString('en-US') ?? '–',
  },
  {
    key: 'insert',
    header: t('editor.history.insert'),
    hideHeader: true,
    align: 'end',
    cell: (entry) => (
      <Button size="sm" onClick={() => onInsert(entry)}>
        {t('editor.history.insert')}
      </Button>
    ),
  },
]
