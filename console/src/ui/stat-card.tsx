import type { ReactNode } from 'react'
import { Skeleton } from './skeleton.tsx'
import styles from './stat-card.module.css'

interface Props {
  readonly label: string
  /** Undefined while it is not known. */
  readonly value: string | undefined
  readonly unit?: string
  readonly note?: ReactNode
  /** Beside the figure: how it came about. */
  readonly chart?: ReactNode
}

/** One figure with its name and what it is made of. */
export function StatCard({ label, value, unit, note, chart }: Props) {
  return (
    <div className={styles['card']} role="group" aria-label={label}>
      <p className={styles['small']}>{label}</p>
      {value === undefined ? (
        <Skeleton width={96} height={28} />
      ) : (
        <p className={styles['value']}>
          {value}
          {unit && <span className={styles['unit']}> {unit}</span>}
          {chart && <span className={styles['chart']}>{chart}</span>}
        </p>
      )}
      <p className={styles['small']}>{note}</p>
    </div>
  )
}

/** Side by side where there is room. */
export function StatCards({ children }: { children: ReactNode }) {
  return (
    <div className={styles['cards']}>
      <div className={styles['row']}>{children}</div>
    </div>
  )
}
