import type { WarehouseDetails } from '@boathouse/contract/warehouse'
import { t } from '../../i18n/texts.ts'
import { Sparkline } from '../../ui/index.ts'
import styles from './warehouse.module.css'

interface Props {
  readonly of: Pick<WarehouseDetails, 'running' | 'queued' | 'offer' | 'cpu'>
}

/** Statements in it and before it, as a part of those that it runs at the same time. */
export function Load({ of: { running, queued, offer } }: Props) {
  const share = (count: number): string => `${Math.min(100, (100 * count) / offer.slots)}%`
  return (
    <span className={styles['load']}>
      <span className={styles['slots']} aria-hidden>
        <span style={{ width: share(running) }} />
        <span data-queued style={{ width: share(queued) }} />
      </span>
      {running} / {queued}
    </span>
  )
}

interface CpuProps extends Props {
  readonly withFigure?: boolean
}

/** How busy its engine was in the last hour; nothing of one that does not run. */
export function CpuTrend({ of: { cpu }, withFigure = false }: CpuProps) {
  if (!cpu) return withFigure && '–'
  const most = Math.max(...cpu.trend.map((percent) => percent ?? 0))
  return (
    <span className={styles['load']}>
      <Sparkline
        label={t('warehouse.cpuTrend', { percent: cpu.percent, average: cpu.hourPercent, most })}
        values={cpu.trend}
      />
      {withFigure && `${cpu.percent} %`}
    </span>
  )
}
