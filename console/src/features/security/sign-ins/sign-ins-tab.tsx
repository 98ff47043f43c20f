import '../../../i18n/sign-ins.ts'
import { type ReactNode, useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useSettled } from '../../../lib/settled.ts'
import { Button, DataTable, EmptyState, Skeleton } from '../../../ui/index.ts'
import styles from '../security.module.css'
import { isRefused, TabFailure } from '../tab-failure.tsx'
import { signInColumns } from './sign-in-columns.tsx'
import { SignInFilters } from './sign-in-filters.tsx'
import { isNarrowed, NOTHING, type SignInSearch } from './sign-in-search.ts'
import { type SignInList, useSignIns } from './use-sign-ins.ts'

/** Who got in to the account, and who did not. */
export function SignInsTab() {
  const [search, setSearch] = useState<SignInSearch>(NOTHING)
  const asked = useSettled(search)
  const list = useSignIns(asked)
  if (list.error && isRefused(list.error))
    return <TabFailure title={t('signIns.failed')} error={list.error} onRetry={list.retry} />
  return (
    <div className={styles['tab']}>
      <div className={styles['lead']}>
        <p>{t('signIns.lead')}</p>
      </div>
      <SignInFilters search={search} onSearch={setSearch} />
      <Found
        list={{ ...list, isFetchingMore: list.isFetchingMore || asked !== search }}
        isNarrowed={isNarrowed(asked)}
        onReset={() => setSearch(NOTHING)}
      />
    </div>
  )
}

interface FoundProps {
  readonly list: SignInList
  readonly isNarrowed: boolean
  readonly onReset: () => void
}

function Found({ list, isNarrowed: wasNarrowed, onReset }: FoundProps): ReactNode {
  const { signIns, isLoading, isFetchingMore, hasMore, error } = list
  if (isLoading) return <Skeleton height={240} />
  if (error && signIns.length === 0)
    return <TabFailure title={t('signIns.failed')} error={error} onRetry={list.retry} />
  if (signIns.length === 0)
    return wasNarrowed ? (
      <EmptyState
        title={t('signIns.nothingFound.title')}
        actions={<Button onClick={onReset}>{t('signIns.filter.reset')}</Button>}
      >
        <p>{t('signIns.nothingFound.body')}</p>
      </EmptyState>
    ) : (
      <EmptyState title={t('signIns.empty.title')}>
        <p>{t('signIns.empty.body')}</p>
      </EmptyState>
    )
  return (
    <>
      <DataTable
        label={t('signIns.list')}
        columns={signInColumns()}
        rows={signIns}
        rowKey={({ signInId }) => signInId}
      />
      {hasMore && (
        <div className={styles['row']}>
          <Button size="sm" loading={isFetchingMore} onClick={list.showMore}>
            {t('signIns.more')}
          </Button>
        </div>
      )}
    </>
  )
}
