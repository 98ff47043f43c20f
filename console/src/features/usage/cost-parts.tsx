import type { Output } from '@boathouse/contract/call'
import type { usage } from '@boathouse/contract/usage'
import { t } from '../../i18n/texts.ts'
import styles from './usage.module.css'

type Parts = Pick<Output<typeof usage.byUser>, 'total' | 'idle' | 'forgotten' | 'rounding'>

/** What is left beside the rows, so that all of it is the total. */
export function CostParts({ parts }: { parts: Parts }) {
  const { total, idle, forgotten, rounding } = parts
  const words = [
    idle && t('usage.explain.idle', { usd: idle.usd }),
    forgotten && Number(forgotten.usd) > 0 && t('usage.explain.forgotten', { usd: forgotten.usd }),
    Number(rounding.usd) !== 0 && t('usage.explain.rounding', { usd: rounding.usd }),
    t('usage.explain.sum', { usd: total.usd }),
  ]
  return <p className={styles['note']}>{words.filter(Boolean).join(' · ')}</p>
}
