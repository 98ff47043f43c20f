import type { AccountListItem } from '@boathouse/contract/org'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import {
  Button,
  Checkbox,
  DataTable,
  EmptyState,
  Skeleton,
  sortedRows,
  type TableSort,
  TextField,
  Toolbar,
} from '../../ui/index.ts'
import { accountColumns, type ColumnParts } from './account-columns.tsx'
import type { AccountPageSearch } from './account-page.tsx'
import styles from './account.module.css'

interface Props extends Omit<ColumnParts, 'onOpen'> {
  readonly accounts: readonly AccountListItem[] | undefined
  readonly search: string
  readonly withDeleted: boolean
  readonly onSearch: (change: AccountPageSearch) => void
}

const matches = ({ name, accountId }: AccountListItem, text: string): boolean =>
  `${name} ${accountId}`.toLowerCase().includes(text.trim().toLowerCase())

export function AccountList({ accounts, search, withDeleted, onSearch, ...parts }: Props) {
  return (
    <section aria-label={t('account.list.title')} className={styles['list']}>
      <Toolbar
        search={
          <TextField
            type="search"
            label={t('account.list.search')}
            hideLabel
            placeholder={t('account.list.search')}
            value={search}
            onChange={(event) => onSearch({ search: event.target.value })}
          />
        }
      >
        <Checkbox
          label={t('account.list.showDeleted')}
          checked={withDeleted}
          onChange={(isShown) => onSearch({ deleted: isShown ? 'true' : '' })}
        />
      </Toolbar>
      <Found accounts={accounts} search={search} onSearch={onSearch} {...parts} />
    </section>
  )
}

function Found({ accounts, search, onSearch, ...parts }: Omit<Props, 'withDeleted'>) {
  const [sort, setSort] = useState<TableSort>({ key: 'created', descending: false })
  const columns = accountColumns({ ...parts, onOpen: (account) => onSearch({ account }) })
  const shown = accounts?.filter((account) => matches(account, search))
  if (!shown) return <Skeleton height={180} />
  if (shown.length === 0)
    return (
      <EmptyState
        title={t('account.list.noMatch', { text: search })}
        actions={<Button onClick={() => onSearch({ search: '' })}>{t('account.list.clear')}</Button>}
      >
        <p>{t('account.list.noMatchWhy')}</p>
      </EmptyState>
    )
  return (
    <DataTable
      label={t('account.list.title')}
      columns={columns}
      rows={sortedRows(shown, columns, sort)}
      rowKey={({ accountId }) => accountId}
      sort={sort}
      onSort={setSort}
    />
  )
}
