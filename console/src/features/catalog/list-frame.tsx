import type { ReactNode } from 'react'
import { t } from '../../i18n/texts.ts'
import type { CallError } from '../../lib/api.ts'
import {
  Button,
  DataTable,
  EmptyState,
  Pager,
  Skeleton,
  Stack,
  type TableColumn,
  type TableSort,
  TextField,
  Toolbar,
} from '../../ui/index.ts'
import { FetchFailed } from './fetch-failed.tsx'
import type { ShownProps } from './places.ts'

export const PAGE_SIZE = 50

/** The page of a list that an address names, for the request to the service. */
export const pageOf = (page: string | undefined): number => Math.max(1, Math.trunc(Number(page)) || 1)

interface Props<R> extends ShownProps {
  readonly label: string
  readonly found: {
    readonly data: { readonly list: readonly R[]; readonly total: number } | undefined
    readonly error: CallError | null
    readonly refetch: () => unknown
  }
  readonly columns: readonly TableColumn<R>[]
  readonly rowKey: (row: R) => string
  /** That nothing is there, and why. */
  readonly empty: string
  readonly why: string
  readonly sort?: TableSort
  readonly onSort?: (sort: TableSort) => void
  /** Beside the search. */
  readonly filter?: ReactNode
  readonly action?: ReactNode
}

/** A list that the service searches, sorts and gives page by page. */
export function ListFrame<R>(props: Props<R>) {
  const { label, found, columns, rowKey, empty, why, sort, onSort, filter, action, shown, onShow } = props
  const { data, error } = found
  const { search = '' } = shown
  const isEmpty = !error && data?.list.length === 0 && search === '' && pageOf(shown.page) === 1
  return (
    <Stack>
      <Toolbar
        // Where it belongs is known with the list: it never moves from one place to the other.
        action={(data || error) && !isEmpty && action}
        search={
          <TextField
            label={t('catalog.search')}
            hideLabel
            type="search"
            maxLength={256}
            placeholder={t('catalog.search')}
            value={search}
            onChange={(event) => onShow({ ...shown, search: event.target.value, page: '' })}
          />
        }
      >
        {filter}
      </Toolbar>
      {error && <FetchFailed error={error} what={label} onRetry={() => void found.refetch()} />}
      {!error && !data && <Skeleton height={180} />}
      {!error && data?.list.length === 0 && (
        <EmptyState
          title={isEmpty ? empty : t('catalog.nothingFound')}
          actions={
            isEmpty ? (
              action
            ) : (
              <Button onClick={() => onShow({ ...shown, search: '', page: '' })}>
                {t('catalog.showAll')}
              </Button>
            )
          }
        >
          <p>{isEmpty ? why : t('catalog.nothingFoundWhy')}</p>
        </EmptyState>
      )}
      {!error && data && data.list.length > 0 && (
        <DataTable
          label={label}
          columns={columns}
          rows={data.list}
          rowKey={rowKey}
          {...(sort && onSort ? { sort, onSort } : {})}
        />
      )}
      {!error && data && (
        <Pager
          label={label}
          page={pageOf(shown.page)}
          pageSize={PAGE_SIZE}
          total={data.total}
          onPage={(page) => onShow({ ...shown, page: String(page) })}
        />
      )}
    </Stack>
  )
}
