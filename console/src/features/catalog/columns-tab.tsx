import { schema } from '@boathouse/contract/schema'
import type { ColumnDetail } from '@boathouse/contract/schema-objects'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { IconKey, IconPencil } from '../../ui/icons.ts'
import {
  Button,
  DataTable,
  EmptyState,
  IconButton,
  Pager,
  Skeleton,
  Stack,
  type TableColumn,
  TextField,
  Toolbar,
} from '../../ui/index.ts'
import styles from './catalog.module.css'
import type { Described } from './comment-object.tsx'
import { FetchFailed } from './fetch-failed.tsx'
import { inputOf, type ThisObject } from './this-object.ts'

interface Props {
  readonly of: ThisObject
  readonly mayAlter: boolean
  readonly onComment: (what: Described) => void
}

/** Shown at once; a search looks through all that were fetched. */
const SHOWN = 200

export function ColumnsTab({ of, mayAlter, onComment }: Props) {
  const { data, error, refetch } = useCall(schema.columns, inputOf(of), { silent: true })
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  if (error)
    return <FetchFailed error={error} what={t('catalog.detail.theColumns')} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={220} />
  const wanted = search.trim().toLowerCase()
  const found = data.columns.filter(({ name }) => name.toLowerCase().includes(wanted))
  return (
    <Stack>
      <Toolbar
        search={
          <TextField
            label={t('catalog.detail.filterColumns')}
            hideLabel
            type="search"
            placeholder={t('catalog.detail.filterColumns')}
            value={search}
            onChange={(event) => {
              setSearch(event.target.value)
              setPage(1)
            }}
          />
        }
      />
      {found.length === 0 ? (
        <EmptyState
          title={t('catalog.nothingFound')}
          actions={<Button onClick={() => setSearch('')}>{t('catalog.showAll')}</Button>}
        >
          <p>{t('catalog.nothingFoundWhy')}</p>
        </EmptyState>
      ) : (
        <DataTable
          label={t('catalog.detail.theColumns')}
          columns={columnsFor(mayAlter, onComment)}
          rows={found.slice((page - 1) * SHOWN, page * SHOWN)}
          rowKey={({ name }) => name}
        />
      )}
      <Pager
        label={t('catalog.detail.theColumns')}
        page={page}
        pageSize={SHOWN}
        total={found.length}
        onPage={setPage}
      />
    </Stack>
  )
}

const none = () => <span className={styles['none']}>{t('catalog.none')}</span>

const columnsFor = (
  mayAlter: boolean,
  onComment: Props['onComment'],
): readonly TableColumn<ColumnDetail>[] => [
  {
    key: 'name',
    header: t('catalog.column.name'),
    cell: ({ name }) => <code className={styles['strong']}>{name}</code>,
  },
  { key: 'type', header: t('catalog.column.type'), cell: ({ type }) => <code>{type}</code> },
  {
    key: 'nullable',
    header: t('catalog.column.nullable'),
    cell: ({ nullable }) => (nullable ? t('catalog.yes') : t('catalog.no')),
  },
  {
    key: 'key',
    header: t('catalog.column.key'),
    cell: ({ primaryKey }) =>
      primaryKey ? (
        <span className={styles['named']}>
          <IconKey size={14} aria-hidden />
          {t('catalog.primary')}
        </span>
      ) : (
        none()
      ),
  },
  {
    key: 'default',
    header: t('catalog.column.default'),
    cell: ({ default: value }) => (value === null ? none() : <code>{value}</code>),
  },
  {
    key: 'length',
    header: t('catalog.column.length'),
    align: 'end',
    cell: ({ length }) => length ?? none(),
  },
  {
    key: 'precision',
    header: t('catalog.column.precision'),
    align: 'end',
    cell: ({ precision, scale }) =>
      precision === null ? none() : scale === null ? precision : `${precision}, ${scale}`,
  },
  {
    key: 'comment',
    header: t('catalog.column.comment'),
    leastPx: 140,
    cell: ({ comment }) => (comment ? <span title={comment}>{comment}</span> : none()),
  },
  ...(mayAlter ? [commentColumn(onComment)] : []),
]

const commentColumn = (onComment: Props['onComment']): TableColumn<ColumnDetail> => ({
  key: 'actions',
  header: t('catalog.column.actions'),
  hideHeader: true,
  align: 'end',
  cell: ({ name, comment }) => (
    <IconButton
      label={t('catalog.comment.columnAction', { name })}
      size="sm"
      onClick={() => onComment({ column: name, comment })}
    >
      <IconPencil size={14} aria-hidden />
    </IconButton>
  ),
})
