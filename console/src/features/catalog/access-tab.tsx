import { LIMITS } from '@boathouse/contract/limits'
import { schema } from '@boathouse/contract/schema'
import type { Reader } from '@boathouse/contract/schema-objects'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { DataTable, Pager, Skeleton, Stack, type TableColumn } from '../../ui/index.ts'
import styles from './catalog.module.css'
import { FetchFailed } from './fetch-failed.tsx'
import { inputOf, type ThisObject } from './this-object.ts'

/** Who may read it, and why. */
export function AccessTab({ of }: { of: ThisObject }) {
  const [page, setPage] = useState(1)
  const limit = LIMITS.pageSize
  const { data, error, refetch } = useCall(
    schema.readers,
    { ...inputOf(of), offset: (page - 1) * limit, limit },
    { silent: true, placeholderData: (before) => before },
  )
  const label = t('catalog.detail.readers')
  if (error) return <FetchFailed error={error} what={label} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={160} />
  return (
    <Stack>
      <p className={styles['note']}>{t('catalog.detail.accessNote')}</p>
      <DataTable
        label={label}
        columns={columns()}
        rows={data.list}
        rowKey={({ kind, name, why }) => `${kind} ${name} ${why}`}
      />
      <Pager label={label} page={page} pageSize={limit} total={data.total} onPage={setPage} />
    </Stack>
  )
}

const columns = (): readonly TableColumn<Reader>[] => [
  {
    key: 'name',
    header: t('catalog.column.who'),
    cell: ({ name }) => <span className={styles['strong']}>{name}</span>,
  },
  {
    key: 'kind',
    header: t('catalog.column.type'),
    cell: ({ kind }) => (kind === 'user' ? t('catalog.detail.user') : t('catalog.detail.role')),
  },
  {
    key: 'privileges',
    header: t('catalog.column.privileges'),
    cell: ({ privileges }) => privileges.join(', '),
  },
  {
    key: 'why',
    header: t('catalog.column.why'),
    leastPx: 200,
    cell: ({ why }) => <span title={why}>{why}</span>,
  },
]
