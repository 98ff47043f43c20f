import type { ReactNode } from 'react'
import { Skeleton } from '../../ui/index.ts'
import styles from './account.module.css'

/** Names and values; a value that is still to come is a grey bar. */
export function Facts({
  facts,
  columns = 1,
}: {
  facts: readonly (readonly [string, ReactNode])[]
  columns?: 1 | 2
}) {
  return (
    <dl className={styles['facts']} data-columns={columns}>
      {facts.map(([name, value]) => (
        <div key={name} className={styles['fact']}>
          <dt>{name}</dt>
          <dd>{value ?? <Skeleton width={120} />}</dd>
        </div>
      ))}
    </dl>
  )
}
