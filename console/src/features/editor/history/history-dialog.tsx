import { parametersOfValues } from '@boathouse/contract/bound-parameters'
import { type HistoryEntry, PREVIEW_PROGRAM, query } from '@boathouse/contract/query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { send } from '../../../lib/api.ts'
import { formatDateTime, formatDuration } from '../../../lib/format.ts'
import {
  Button,
  buttonClassName,
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
import { useParameters } from '../parameters/use-parameters.ts'
import { BoundValuesText } from '../../../statement/bound-values.tsx'
import styles from './history-dialog.module.css'
import { useOwnHistory } from './use-own-history.ts'

/** Of a text, what fits into one line on a wide screen. */
const LINE_LENGTH = 240

interface Props extends DialogProps {
  readonly onInsert: (text: string) => void
}

/** What the user ran, newest first: of the tab or of all. */
export function HistoryDialog({ asked, open, onClose, onInsert }: Props) {
  const { resultMemory } = useEditorRuntime()
  const parameters = useParameters(asked.id)
  const [search, setSearch] = useState('')
  const [isOfTab, setOfTab] = useState(false)
  const [ran] = useState(() => new Set(resultMemory.requestsOf(asked.id)))
  const { pages, shown, isLooking } = useOwnHistory({
    isOpen: open,
    search,
    matches: ({ requestId, program }) => program !== PREVIEW_PROGRAM && (!isOfTab || ran.has(requestId)),
  })
  const isNarrowed = isOfTab || search.trim() !== ''
  const showAll = () => {
    setSearch('')
    setOfTab(false)
  }
  const insert = async (entry: HistoryEntry) => {
    const whole = entry.sqlCut ? (await send(query.detail, { queryId: entry.queryId })).entry.sql : entry.sql
    if (entry.values) parameters.take(parametersOfValues(entry.values))
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
      {(pages.isPending || (isLooking && shown.length === 0)) && (
        <Spinner label={t('editor.history.loading')} />
      )}
      {pages.isError && (
        <ErrorState
          title={t('editor.history.failed')}
          what={pages.error.message}
          onRetry={() => void pages.refetch()}
        />
      )}
      {pages.data && shown.length === 0 && !isLooking && (
        <EmptyState
          title={t(isNarrowed ? 'editor.history.noMatch' : 'editor.history.empty')}
          actions={isNarrowed && <Button onClick={showAll}>{t('editor.history.showAll')}</Button>}
        >
          <p>{t(isNarrowed ? 'editor.history.noMatchWhy' : 'editor.history.emptyWhy')}</p>
        </EmptyState>
      )}
      {shown.length > 0 && <Entries entries={shown} onInsert={(entry) => void insert(entry)} />}
      {pages.hasNextPage && (
        // Older ones of what is looked for now, which is not known yet.
        <Button
          size="sm"
          loading={pages.isFetchingNextPage || isLooking}
          onClick={() => void pages.fetchNextPage()}
        >
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
  const { region = '', aid = '' }: Partial<Place> = useParams({ strict: false })
  const place = { region, aid }
  return (
    <div className={styles['list']}>
      <DataTable
        label={t('editor.history.title')}
        rows={entries}
        rowKey={(entry) => entry.queryId}
        columns={columnsOf(place, onInsert)}
      />
    </div>
  )
}

interface Place {
  readonly region: string
  readonly aid: string
}

const columnsOf = (place: Place, onInsert: EntriesProps['onInsert']): TableColumn<HistoryEntry>[] => [
  {
    key: 'when',
    header: t('editor.history.when'),
    cell: (entry) => formatDateTime(entry.acceptedAt),
  },
  {
    key: 'statement',
    header: t('editor.history.statement'),
    leastPx: 220,
    cell: (entry) => (
      <>
        <code className={styles['text']} title={entry.error || entry.sql}>
          {entry.sql.slice(0, LINE_LENGTH)}
        </code>
        {entry.values && <BoundValuesText values={entry.values} />}
      </>
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
      <span className={styles['actions']}>
        <Link
          className={buttonClassName({ size: 'sm' })}
          to="/$region/$aid/activity/query_{$queryId}"
          params={{ ...place, queryId: entry.queryId }}
        >
          {t(entry.result === 'kept' ? 'editor.history.openResult' : 'editor.history.open')}
        </Link>
        <Button size="sm" onClick={() => onInsert(entry)}>
          {t('editor.history.insert')}
        </Button>
      </span>
    ),
  },
]
