import { usage } from '@boathouse/contract/usage'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { ErrorState, Select, Skeleton } from '../../ui/index.ts'
import { monthName } from './month-names.ts'
import type { UsageSearch } from './usage-page.tsx'
import { UsageTab } from './usage-tab.tsx'
import styles from './usage.module.css'

const ALL = 'all'

interface Props {
  /** The newest first. */
  readonly months: readonly string[]
  readonly month: string
  readonly accountId: string | undefined
  /** Those that the user can choose from. */
  readonly accounts: readonly { readonly accountId: string; readonly name: string }[]
  readonly onSearch: (change: UsageSearch) => void
}

/** The usage of a month, of all accounts or of one. */
export function UsageOfMonth({ months, month, accountId, accounts, onSearch }: Props) {
  const asked = useCall(usage.summary, { month, ...(accountId ? { accountId } : {}) })
  const thisMonth = months[0] ?? ''
  return (
    <div className={styles['part']}>
      <div className={styles['tools']}>
        <Select
          label={t('usage.month')}
          hideLabel
          value={month}
          options={months.map((value) => ({ value, label: monthName(value) }))}
          onChange={(next) => onSearch({ month: next })}
          width={180}
        />
        {accounts.length > 1 && (
          <Select
            label={t('usage.account')}
            hideLabel
            value={accountId ?? ALL}
            options={[
              { value: ALL, label: t('usage.allAccounts') },
              ...accounts.map((one) => ({ value: one.accountId, label: one.name })),
            ]}
            onChange={(next) => onSearch({ account: next === ALL ? '' : next })}
            width={200}
          />
        )}
      </div>
      {asked.data ? (
        <UsageTab
          key={`${month} ${accountId}`}
          summary={asked.data}
          month={month}
          accountId={accountId}
          isOpen={month === thisMonth}
          onThisMonth={() => onSearch({ month: thisMonth })}
        />
      ) : asked.isError ? (
        <ErrorState
          title={t('usage.failed')}
          what={asked.error.message}
          onRetry={() => void asked.refetch()}
        />
      ) : (
        <Skeleton height={200} />
      )}
    </div>
  )
}
