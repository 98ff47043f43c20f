import type { PlanAdvice } from '@boathouse/contract/plan'
import { t } from '../i18n/texts.ts'
import { formatBytes, formatCount } from '../lib/format.ts'
import { operatorName } from './operator-name.ts'
import type { PlanNode } from './plan-node.ts'
import { planRows } from './plan-rows.ts'
import styles from './plan.module.css'

interface Props {
  readonly root: PlanNode
  readonly advice: readonly PlanAdvice[]
}

const percentOf = (share: number): number => Math.round(100 * share)

const times = (factor: number): string => (factor < 10 ? factor.toFixed(1) : formatCount(Math.round(factor)))

/** Where the plan can be better: what was measured, and what to do. */
export function PlanAdviceList({ root, advice }: Props) {
  if (advice.length === 0) return null
  const rows = planRows(root)
  return (
    <ul className={styles['advice']} aria-label={t('statement.plan.advice.label')}>
      {advice.map((one) => (
        <li key={`${one.advice} ${one.operator}`}>
          <strong>{foundText(one, rows[one.operator ?? -1]?.node)}</strong>{' '}
          {t(`statement.plan.advice.${one.advice}.todo`)}
          {one.timeShare !== null && (
            <span className={styles['share']}>
              {t('statement.plan.advice.share', { percent: percentOf(one.timeShare) })}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

function foundText({ advice, rowsIn, rowsOut, bytes }: PlanAdvice, node: PlanNode | undefined): string {
  const [taken, given] = [rowsIn ?? 0, rowsOut ?? 0]
  return t(`statement.plan.advice.${advice}.found`, {
    operator: node ? operatorName(node.operator) : t('statement.plan.advice.wholePlan'),
    rowsIn: formatCount(taken),
    rowsOut: formatCount(given),
    factor: taken > 0 ? times(given / taken) : '',
    percent: taken > 0 ? percentOf(given / taken) : 0,
    bytes: formatBytes(bytes ?? 0),
  })
}
