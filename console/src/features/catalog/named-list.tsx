import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { DataTable, EmptyState, Skeleton, type TableColumn, TextField } from '../../ui/index.ts'
import styles from './catalog.module.css'

/** More than anybody reads; a search finds the others. */
const MOST_SHOWN = 200

export interface Named {
  readonly name: string
  readonly type?: string
  /** Where it is shown, if it has a page of its own. */
  readonly address?: string
}

interface Props {
  readonly label: string
  readonly list: readonly Named[] | undefined
}

const NAME: TableColumn<Named> = {
  key: 'name',
  header: '',
  cell: ({ name, address }) =>
    address ? (
      <Link to={address} className={styles['name']}>
        {name}
      </Link>
    ) : (
      name
    ),
}
const TYPE: TableColumn<Named> = { key: 'type', header: '', cell: ({ type }) => type }

/** Names with their types, searched as one types. */
export function NamedList({ label, list }: Props) {
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const found = list?.filter(({ name }) => name.toLowerCase().includes(wanted)) ?? []
  const columns = [
    { ...NAME, header: t('catalog.column.name') },
    ...(list?.some(({ type }) => type) ? [{ ...TYPE, header: t('catalog.column.type') }] : []),
  ]
  if (!list) return <Skeleton height={180} />
  if (list.length === 0) return <EmptyState title={t('catalog.empty')} />
  return (
    <>
      <div className={styles['search']}>
        <TextField
          label={t('catalog.search')}
          hideLabel
          type="search"
          placeholder={t('catalog.search')}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      {found.length === 0 ? (
        <EmptyState title={t('catalog.nothingFound')} />
      ) : (
        <DataTable
          label={label}
          columns={columns}
          rows={found.slice(0, MOST_SHOWN)}
          rowKey={({ name, type }) => `${type ?? ''} ${name}`}
        />
      )}
      {found.length > MOST_SHOWN && (
        <p className={styles['note']}>{t('catalog.first', { count: MOST_SHOWN })}</p>
      )}
    </>
  )
}
