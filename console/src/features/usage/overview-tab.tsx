import type { Output } from '@boathouse/contract/call'
import type { usage } from '@boathouse/contract/usage'
import type { ReactNode } from 'react'
import { t } from '../../i18n/texts.ts'
import { formatDateTime } from '../../lib/format.ts'
import { StatCard, StatCards } from '../../ui/index.ts'
import { cents, inCcu, lastDayBefore, monthName } from './month-names.ts'
import { type Overview, PaymentTab } from './payment-tab.tsx'
import { UsageGraph } from './usage-graph.tsx'
import styles from './usage.module.css'

interface Props {
  readonly overview: Overview | undefined
  /** Of this month. */
  readonly summary: Output<typeof usage.summary> | undefined
  readonly bind: ReactNode
}

export function OverviewTab({ overview, summary, bind }: Props) {
  const credit = overview?.trialCredit
  return (
    <div className={styles['part']}>
      <StatCards>
        <StatCard
          label={t('usage.monthToDate')}
          value={overview && cents(overview.monthToDate.usd)}
          unit="USD"
          note={overview && t('usage.ccu', { ccu: inCcu(overview.monthToDate.ccu) })}
        />
        <StatCard
          label={t('usage.forecast', { month: overview ? monthName(overview.month) : '' })}
          value={overview && (overview.forecastUsd ?? '0.00')}
          unit="USD"
          note={overview && (overview.forecastUsd === null ? t('usage.noForecast') : t('usage.forecastNote'))}
        />
        <StatCard
          label={t('usage.next')}
          value={overview && lastDayBefore(overview.nextBillingAt)}
          note={overview && t('usage.nextNote')}
        />
        {credit ? (
          <StatCard
            label={t('usage.credit')}
            value={credit.leftUsd}
            unit="USD"
            note={t('usage.creditNote', { usd: credit.usd, end: formatDateTime(credit.endsAt) })}
          />
        ) : (
          <StatCard
            label={t('usage.balance')}
            value={overview?.ccuBalance}
            unit="CCU"
            note={t('usage.balanceNote')}
          />
        )}
      </StatCards>
      {summary && <UsageGraph days={summary.days} isOpen />}
      {overview && <PaymentTab overview={overview} bind={bind} />}
    </div>
  )
}
