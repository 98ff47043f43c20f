import '../i18n/statement.ts'
import { useState } from 'react'
import { t } from '../i18n/texts.ts'
import { CodeBlock, Segmented } from '../ui/index.ts'
import type { PlanNode } from './plan-node.ts'
import { PlanTree } from './plan-tree.tsx'
import { hasTimes, shareOfPath } from './plan-rows.ts'
import { planText } from './plan-text.ts'
import { readPlan } from './read-plan.ts'
import styles from './plan.module.css'

type View = 'tree' | 'text'
const VIEWS: readonly View[] = ['tree', 'text']

export interface PlanViewProps {
  /** How it ran, or what the engine answered to an EXPLAIN. */
  readonly plan: PlanNode | string
}

/** A plan as a tree with the slowest path marked, or as text. A text that is no tree is shown as it is. */
export function PlanView({ plan }: PlanViewProps) {
  const [view, setView] = useState<View>('tree')
  const root = typeof plan === 'string' ? readPlan(plan) : plan
  const text = typeof plan === 'string' ? plan : planText(plan)
  if (!root) return <CodeBlock label={t('statement.plan.label')} code={text} />
  return (
    <div className={styles['view']}>
      <div className={styles['head']}>
        <Segmented
          label={t('statement.plan.view')}
          value={view}
          segments={VIEWS.map((value) => ({ value, label: t(`statement.plan.${value}`) }))}
          onChange={setView}
        />
        {hasTimes(root) && (
          <p className={styles['legend']}>
            <span className={styles['slowLine']} aria-hidden />
            {t('statement.plan.slowestPath', { percent: Math.round(100 * shareOfPath(root)) })}
          </p>
        )}
      </div>
      {view === 'tree' ? (
        <PlanTree root={root} />
      ) : (
        <CodeBlock label={t('statement.plan.label')} code={text} />
      )}
    </div>
  )
}
