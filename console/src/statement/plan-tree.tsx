import type { PlanAdvice } from '@boathouse/contract/plan'
import { t } from '../i18n/texts.ts'
import { formatCount, formatDuration } from '../lib/format.ts'
import { Badge, DataTable, type TableColumn } from '../ui/index.ts'
import { operatorName } from './operator-name.ts'
import type { PlanNode } from './plan-node.ts'
import { hasTimes, type PlanRow, planRows } from './plan-rows.ts'
import styles from './plan.module.css'

const WIDEST_BAR = 72

interface TreeRow extends PlanRow {
  /** From 0, each operator before what it reads from. */
  readonly index: number
  readonly hasAdvice: boolean
}

/** The operators below one another, each with a line to the one that reads from it. */
export function PlanTree({ root, advice }: { root: PlanNode; advice: readonly PlanAdvice[] }) {
  const rows = planRows(root)
  const advised = new Set(advice.map(({ operator }) => operator))
  return (
    <div className={styles['tree']}>
      <DataTable
        inPanel
        wide
        label={t('statement.plan.label')}
        rows={rows.map((row, index) => ({ ...row, index, hasAdvice: advised.has(index) }))}
        rowKey={({ index }) => index}
        columns={columnsOf(rows, hasTimes(root))}
      />
    </div>
  )
}

function columnsOf(rows: readonly PlanRow[], withTimes: boolean): readonly TableColumn<TreeRow>[] {
  const mostMs = Math.max(...rows.map(({ node }) => node.timeMs ?? 0))
  const mostRows = Math.max(...rows.map(({ node }) => node.rows ?? 0))
  const isEstimate = rows.some(({ node }) => node.isEstimate && node.rows !== null)
  const operator: TableColumn<TreeRow> = {
    key: 'operator',
    header: t('statement.plan.operator'),
    cell: (row) => <Operator {...row} />,
  }
  const time: TableColumn<TreeRow> = {
    key: 'time',
    header: t('statement.plan.ownTime'),
    cell: ({ node: { timeMs }, isSlow }) =>
      timeMs !== null && <Measure share={timeMs / mostMs} isSlow={isSlow} text={formatDuration(timeMs)} />,
  }
  const counted: TableColumn<TreeRow> = {
    key: 'rows',
    header: t(isEstimate ? 'statement.plan.estimatedRows' : 'statement.plan.rowsOut'),
    cell: ({ node }) =>
      node.rows !== null && <Measure share={node.rows / mostRows} text={formatCount(node.rows)} />,
  }
  return withTimes ? [operator, time, counted] : [operator, counted]
}

function Operator({ node: { operator, detail, kind, folded }, rails, isSlowest, hasAdvice }: TreeRow) {
  const means = [
    kind && t(`statement.plan.means.${kind}`),
    folded && t('statement.plan.folded', { count: folded }),
  ].filter(Boolean)
  return (
    <span className={styles['operator']}>
      {rails.map(({ shape, isSlow }, level) => (
        <span
          key={level}
          className={styles['rail']}
          data-shape={shape}
          data-slow={isSlow || undefined}
          aria-hidden
        />
      ))}
      <span className="visually-hidden">{t('statement.plan.level', { level: rails.length + 1 })} </span>
      <span className={styles['words']}>
        <span className={styles['named']}>
          <strong>{operatorName(operator)}</strong>
          <code title={detail}>{detail.replaceAll(/\s+/g, ' ')}</code>
          {isSlowest && <Badge tone="warn">{t('statement.plan.slowest')}</Badge>}
          {hasAdvice && <Badge tone="accent">{t('statement.plan.hasAdvice')}</Badge>}
        </span>
        {means.length > 0 && <span className={styles['means']}>{means.join(' ')}</span>}
      </span>
    </span>
  )
}

function Measure({ share, text, isSlow = false }: { share: number; text: string; isSlow?: boolean }) {
  const width = Number.isFinite(share) ? Math.max(2, WIDEST_BAR * share) : 0
  return (
    <span className={styles['measure']}>
      <span>{text}</span>
      <span className={styles['bar']} data-slow={isSlow || undefined} style={{ width }} aria-hidden />
    </span>
  )
}
