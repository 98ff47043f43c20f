import '../i18n/statement.ts'
import type { PlanAdvice } from '@boathouse/contract/plan'
import { useState } from 'react'
import { t } from '../i18n/texts.ts'
import { CodeBlock, Segmented } from '../ui/index.ts'
import { PlanAdviceList } from './plan-advice.tsx'
import type { PlanNode } from './plan-node.ts'
import { PlanTree } from './plan-tree.tsx'
import { hasTimes, shareOfPath } from './plan-rows.ts'
import { planText } from './plan-text.ts'
import styles from './plan.module.css'

type View = 'tree' | 'text'
const VIEWS: readonly View[] = ['tree', 'text']

export interface PlanViewProps {
  /** Null: the plan has no tree, and is shown as text. */
  readonly root: PlanNode | null
  readonly advice?: readonly PlanAdvice[]
  /** What the engine answered to an EXPLAIN; null of a plan that is only a tree. */
  readonly text: string | null
}

/** A plan as a tree with the slowest path marked, or as text. */
export function PlanView({ root, advice = [], text }: PlanViewProps) {
  const [view, setView] = useState<View>('tree')
  if (!root) return <CodeBlock label={t('statement.plan.label')} code={text ?? ''} />
  return (
    <div className={styles['view']}>
      <PlanAdviceList root={root} advice={advice} />
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
        <PlanTree root={root} advice={advice} />
      ) : (
        <CodeBlock label={t('statement.plan.label')} code={text ?? planText(root)} />
      )}
    </div>
  )
}
