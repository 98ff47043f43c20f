import type { ReactNode } from 'react'
import styles from './layout.module.css'

/** Names and values, one below the other. */
export function Properties({ items }: { items: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={styles['properties']}>
      {items.map(([name, value]) => (
        <div key={name} className={styles['property']}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
