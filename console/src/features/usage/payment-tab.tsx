import type { Output } from '@boathouse/contract/call'
import type { payment } from '@boathouse/contract/payment'
import type { ReactNode } from 'react'
import { t } from '../../i18n/texts.ts'
import { Panel, Properties } from '../../ui/index.ts'
import styles from './usage.module.css'

export type Overview = Output<typeof payment.overview>

/** Why there is no card, and what to do. */
function noCardWords(overview: Overview): string {
  const { paymentType, paymentEnabled, mayBindCard, trialCredit } = overview
  if (paymentType !== 'direct')
    return t('usage.pays.elsewhere', { type: t(`usage.pays.types.${paymentType}`).toLowerCase() })
  if (!paymentEnabled) return t('usage.pays.notEnabled')
  const words = [t('usage.pays.noCard')]
  if (trialCredit) words.push(t('usage.pays.noCardTrial'))
  if (!mayBindCard) words.push(t('usage.pays.notAdmin'))
  return words.join(' ')
}

export function PaymentTab({ overview, bind }: { overview: Overview; bind: ReactNode }) {
  const { card, paymentType, ccuBalance, discountPercent } = overview
  const items: (readonly [string, ReactNode])[] = [
    [t('usage.pays.type'), t(`usage.pays.types.${paymentType}`)],
    [t('usage.balance'), t('usage.ccu', { ccu: ccuBalance })],
  ]
  if (discountPercent !== '0')
    items.push([t('usage.pays.discount'), t('usage.pays.percent', { percent: discountPercent })])
  if (card)
    items.push(
      [t('usage.pays.brand'), card.brand],
      [t('usage.pays.digits'), card.lastDigits],
      [t('usage.pays.expires'), card.expires],
    )
  return (
    <Panel title={t('usage.pays.title')} actions={bind}>
      <div className={styles['part']}>
        <Properties items={items} />
        {!card && <p className={styles['note']}>{noCardWords(overview)}</p>}
      </div>
    </Panel>
  )
}
