import '../../../i18n/audit.ts'
import type { AuditEntry } from '@boathouse/contract/audit'
import { type ReactNode, useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { useSettled } from '../../../lib/settled.ts'
import { Button, DataTable, EmptyState, Skeleton, type TableColumn } from '../../../ui/index.ts'
import { isRefused, TabFailure } from '../tab-failure.tsx'
import { AuditDrawer } from './audit-drawer.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { type AuditSearch, isNarrowed, NOTHING } from './audit-search.ts'
import styles from '../security.module.css'
import { Changelog } from './changelog.tsx'
import { type AuditList, useAuditList } from './use-audit-list.ts'
import { useVerification } from './use-verification.ts'
import { VerificationBar } from './verification-bar.tsx'

/** Who changed what. */
export function AuditTab() {
  const [search, setSearch] = useState<AuditSearch>(NOTHING)
  const [shown, setShown] = useState<number | null>(null)
  const asked = useSettled(search)
  const list = useAuditList(asked)
  const { verification, start, stop } = useVerification()
  if (list.error && isRefused(list.error))
    return <TabFailure title={t('audit.failed')} error={list.error} onRetry={list.retry} />
  return (
    <div className={styles['tab']}>
      <div className={styles['lead']}>
        <p>{t('audit.lead')}</p>
      </div>
      <VerificationBar verification={verification} onStart={() => void start()} onStop={stop} />
      <AuditFilters search={search} onSearch={setSearch} />
      <Found
        list={{ ...list, isSearching: list.isSearching || asked !== search }}
        isNarrowed={isNarrowed(asked)}
        onReset={() => setSearch(NOTHING)}
        onShow={setShown}
      />
      {shown !== null && (
        <AuditDrawer key={shown} number={shown} verification={verification} onClose={() => setShown(null)} />
      )}
    </div>
  )
}

interface FoundProps {
  readonly list: AuditList
  readonly isNarrowed: boolean
  readonly onReset: () => void
  readonly onShow: (number: number) => void
}

function Found({ list, isNarrowed: wasNarrowed, onReset, onShow }: FoundProps): ReactNode {
  const { entries, isLoading, hasMore, error } = list
  if (isLoading) return <Skeleton height={240} />
  if (error && entries.length === 0)
    return <TabFailure title={t('audit.failed')} error={error} onRetry={list.retry} />
  if (entries.length === 0 && !hasMore)
    return wasNarrowed ? (
      <EmptyState
        title={t('audit.nothingFound.title')}
        actions={<Button onClick={onReset}>{t('audit.filter.reset')}</Button>}
      >
        <p>{t('audit.nothingFound.body')}</p>
      </EmptyState>
    ) : (
      <EmptyState title={t('audit.empty.title')}>
        <p>{t('audit.empty.body')}</p>
      </EmptyState>
    )
  return (
    <>
      {entries.length > 0 && (
        <DataTable
          label={t('audit.list')}
          columns={columnsFor(onShow)}
          rows={entries}
          rowKey={({ number }) => number}
        />
      )}
      <More list={list} />
    </>
  )
}

function More({ list: { hasMore, isSearching, searchedTo, showMore } }: Pick<FoundProps, 'list'>) {
  if (!hasMore) return null
  return (
    <div className={styles['row']}>
      <Button size="sm" loading={isSearching} onClick={showMore}>
        {t(searchedTo ? 'audit.searchFurther' : 'audit.more')}
      </Button>
      <span className={styles['note']} role="status">
        {searchedTo && t('audit.searchedTo', { time: formatDateTime(searchedTo) })}
      </span>
    </div>
  )
}

const columnsFor = (onShow: FoundProps['onShow']): readonly TableColumn<AuditEntry>[] => [
  {
    key: 'time',
    header: t('audit.column.time'),
    cell: ({ at }) => <time dateTime={at}>{formatDateTime(at)}</time>,
  },
  {
    key: 'actor',
    header: t('audit.column.actor'),
    leastPx: 80,
    cell: ({ actor }) => <span title={actorText(actor)}>{actorText(actor)}</span>,
  },
  { key: 'action', header: t('audit.column.action'), cell: ({ action }) => <code>{action}</code> },
  { key: 'type', header: t('audit.column.objectType'), cell: ({ objectType }) => objectType },
  {
    key: 'name',
    header: t('audit.column.objectName'),
    leastPx: 140,
    cell: ({ objectName }) => <span title={objectName}>{objectName}</span>,
  },
  {
    key: 'changelog',
    header: t('audit.column.changelog'),
    leastPx: 200,
    cell: (entry) => <Changelog {...entry} />,
  },
  {
    key: 'details',
    header: t('audit.column.details'),
    hideHeader: true,
    align: 'end',
    cell: ({ number }) => (
      <Button size="sm" aria-label={t('audit.detailsOf', { number })} onClick={() => onShow(number)}>
        {t('audit.column.details')}
      </Button>
    ),
  },
]

const actorText = ({ name, key }: AuditEntry['actor']): string =>
  key === undefined ? name : t('audit.drawer.byKey', { name, key })
