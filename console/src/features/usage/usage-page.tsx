import '../../i18n/usage.ts'
import { payment } from '@boathouse/contract/payment'
import { usage } from '@boathouse/contract/usage'
import { useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { IconPlus } from '../../ui/icons.ts'
import { Badge, Button, ErrorState, Page, PageHeader, Skeleton, Tabs } from '../../ui/index.ts'
import { BudgetsOfPage } from './budgets-of-page.tsx'
import { Invoices } from './invoices.tsx'
import { latestMonths } from './month-names.ts'
import { OverviewTab } from './overview-tab.tsx'
import { PaymentTab } from './payment-tab.tsx'
import { UsageOfMonth } from './usage-of-month.tsx'

export interface UsageSearch {
  readonly tab?: string
  readonly month?: string
  readonly account?: string
}

interface Props {
  readonly search: UsageSearch
  readonly onSearch: (change: UsageSearch) => void
  /** The dialog in which a card is bound. */
  readonly CardDialog: ComponentType<{ hasCard: boolean; onClose: () => void }>
  /** The alert rules of the account. */
  readonly alerts: { readonly label: string; readonly content: ReactNode }
  readonly cardWords: { readonly add: string; readonly change: string }
  /** Opens the profile, where users set their mail address. */
  readonly onAddEmail: () => void
}

/** The root account sees bills and usage of all accounts, another one its own usage. */
export function UsagePage({ search, onSearch, CardDialog, alerts, cardWords, onAddEmail }: Props) {
  const [months] = useState(() => latestMonths(new Date()))
  const thisMonth = months[0] ?? ''
  const month = search.month && months.includes(search.month) ? search.month : thisMonth
  const accountId = search.account
  const all = useCall(usage.summary, { month: thisMonth })
  const isRoot = all.data?.isRoot ?? false
  const overview = useCall(payment.overview, {}, { enabled: isRoot }).data
  const [binding, setBinding] = useState(false)
  if (all.isError)
    return (
      <ErrorState
        page
        title={t('usage.failed')}
        what={all.error.message}
        onRetry={() => void all.refetch()}
      />
    )
  const bind = overview?.mayBindCard && (
    <Button
      variant={overview.card ? 'default' : 'primary'}
      leftIcon={<IconPlus size={16} aria-hidden />}
      onClick={() => setBinding(true)}
    >
      {overview.card ? cardWords.change : cardWords.add}
    </Button>
  )
  const usagePart = (
    <UsageOfMonth
      months={months}
      month={month}
      accountId={accountId}
      accounts={isRoot ? (all.data?.accounts ?? []) : []}
      onSearch={onSearch}
    />
  )
  const tabs = [
    {
      value: 'overview',
      label: t('usage.overview'),
      content: <OverviewTab overview={overview} summary={all.data} bind={bind} />,
    },
    { value: 'usage', label: t('usage.usage'), content: usagePart },
    {
      value: 'budgets',
      label: t('usage.budgets.tab'),
      content: <BudgetsOfPage onAddEmail={onAddEmail} accounts={all.data?.accounts ?? []} isRoot />,
    },
    { value: 'alerts', ...alerts },
    { value: 'history', label: t('usage.history'), content: <Invoices /> },
    {
      value: 'payment',
      label: t('usage.payment'),
      content: overview ? <PaymentTab overview={overview} bind={bind} /> : <Skeleton height={120} />,
    },
  ]
  const tab = tabs.some(({ value }) => value === search.tab) ? (search.tab ?? 'overview') : 'overview'
  const trialEnd = overview?.trialCredit?.endsAt
  return (
    <Page>
      <PageHeader
        title={t('usage.title')}
        state={trialEnd && <Badge tone="accent">{t('usage.trial', { end: formatDateTime(trialEnd) })}</Badge>}
        facts={[
          overview?.organisation,
          all.data && (isRoot ? t('usage.facts.root') : t('usage.facts.own')),
          t('usage.facts.utc'),
        ]}
        actions={tab === 'history' ? bind : undefined}
      />
      {isRoot && (
        <Tabs label={t('usage.tabs')} value={tab} onChange={(next) => onSearch({ tab: next })} items={tabs} />
      )}
      {all.data && !isRoot && (
        <>
          {usagePart}
          <BudgetsOfPage onAddEmail={onAddEmail} accounts={all.data.accounts} isRoot={false} />
          {alerts.content}
        </>
      )}
      {!all.data && <Skeleton height={200} />}
      {binding && <CardDialog hasCard={overview?.card !== null} onClose={() => setBinding(false)} />}
    </Page>
  )
}
