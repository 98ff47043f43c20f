import type { ReactNode } from 'react'
import { t } from '../../i18n/texts.ts'
import {
  Button,
  DataTable,
  EmptyState,
  Pager,
  Skeleton,
  Stack,
  type TableColumn,
  TextField,
  Toolbar,
} from '../../ui/index.ts'

export const PAGE_SIZE = 20

interface Props<R> {
  readonly label: string
  readonly searchLabel: string
  readonly search: string
  readonly page: number
  readonly onSearch: (search: string) => void
  readonly onPage: (page: number) => void
  readonly found: { readonly list: readonly R[]; readonly total: number } | undefined
  readonly columns: readonly TableColumn<R>[]
  readonly rowKey: (row: R) => string
  /** Said when nothing is there although nothing was searched for: that it is so, and why. */
  readonly empty: string
  readonly why: string
  readonly action?: ReactNode
}

/** A list that the service searches and gives page by page. */
export function ListFrame<R>(props: Props<R>) {
  const { label, searchLabel, search, page, onSearch, onPage, found, columns, rowKey, empty, why, action } =
    props
  const isNarrowed = search !== '' || page > 1
  const isEmpty = found?.list.length === 0 && !isNarrowed
  return (
    <Stack>
      <Toolbar
        search={
          <TextField
            label={searchLabel}
            hideLabel
            type="search"
            maxLength={64}
            placeholder={searchLabel}
            value={search}
            onChange={(event) => onSearch(event.target.value)}
          />
        }
        // Where it belongs is known with the list: it never moves from one place to the other.
        action={found && !isEmpty && action}
      />
      {!found && <Skeleton height={180} />}
      {found && found.list.length === 0 && (
        <EmptyState
          title={isEmpty ? empty : t('access.nothingFound.title')}
          actions={
            isEmpty ? action : <Button onClick={() => onSearch('')}>{t('access.nothingFound.reset')}</Button>
          }
        >
          <p>{isEmpty ? why : t('access.nothingFound.body')}</p>
        </EmptyState>
      )}
      {found && found.list.length > 0 && (
        <DataTable label={label} columns={columns} rows={found.list} rowKey={rowKey} />
      )}
      {found && <Pager label={label} page={page} pageSize={PAGE_SIZE} total={found.total} onPage={onPage} />}
    </Stack>
  )
}
