import { t } from '../i18n/texts.ts'
import { formatCount, formatDuration } from '../lib/format.ts'
import { Badge, DataTable, type TableColumn } from '../ui/index.ts'
import type { PlanNode } from './plan-node.ts'
import { hasTimes, type PlanRow, planRows } from './plan-rows.ts'
import styles from './plan.module.css'

const WIDEST_BAR = 72

/** The operators below one another, each with a line to the one that reads from it. */
export function PlanTree({ root }: { root: PlanNode }) {
  const rows = planRows(root)
  return (
    <div className={styles['tree']}>
      <DataTable
        inPanel
        wide
        label={t('statement.plan.label')}
        rows={rows.map((row, index) => ({ ...row, index }))}
        rowKey={({ index }) => index}
        columns={columnsOf(rows, hasTimes(root))}
      />
    </div>
  )
}

function columnsOf(rows: readonly PlanRow[], withTimes: boolean): readonly TableColumn<PlanRow>[] {
  const mostMs = Math.max(...rows.map(({ node }) => node.timeMs ?? 0))
  const mostRows = Math.max(...rows.map(({ node }) => node.rows ?? 0))
  const isEstimate = rows.some(({ node }) => node.isEstimate && node.rows !== null)
  const operator: TableColumn<PlanRow> = {
    key: 'operator',
    header: t('statement.plan.operator'),
    cell: (row) => <Operator {...row} />,
  }
  const time: TableColumn<PlanRow> = {
    key: 'time',
    header: t('statement.plan.ownTime'),
    cell: ({ node: { timeMs }, isSlow }) =>
      timeMs !== null && <Measure share={timeMs / mostMs} isSlow={isSlow} text={formatDuration(timeMs)} />,
  }
  const counted: TableColumn<PlanRow> = {
    key: 'rows',
    header: t(isEstimate ? 'statement.plan.estimatedRows' : 'statement.plan.rowsOut'),
    cell: ({ node }) =>
      node.rows !== null && <Measure share={node.rows / mostRows} text={formatCount(node.rows)} />,
  }
  return withTimes ? [operator, time, counted] : [operator, counted]
}

/** SEQ_SCAN reads Seq scan. */
const nameOf = (operator: string): string => {
  const words = operator.replaceAll('_', ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function Operator({ node: { operator, detail }, rails, isSlowest }: PlanRow) {
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
      <strong>{nameOf(operator)}</strong>
      <code title={detail}>{detail.replaceAll(/\s+/g, ' ')}</code>
      {isSlowest && <Badge tone="warn">{t('statement.plan.slowest')}</Badge>}
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
