import type { ReactNode } from 'react'
import styles from './layout.module.css'

interface Props {
  readonly title: string
  /** A state or a badge, right of the title. */
  readonly state?: ReactNode
  /** Short facts below it; those that are not known yet are left out. */
  readonly facts?: readonly ReactNode[] | undefined
  /** Buttons, the primary one last but for a menu. */
  readonly actions?: ReactNode
}

/** What every list and every detail page begins with. */
export function PageHeader({ title, state, facts = [], actions }: Props) {
  const known = facts.filter(Boolean)
  return (
    <header className={styles['header']}>
      <div className={styles['about']}>
        <div className={styles['line']}>
          <h1 className={styles['pageTitle']}>{title}</h1>
          {state}
        </div>
        <ul className={styles['facts']}>
          {known.map((fact, index) => (
            <li key={index}>{fact}</li>
          ))}
        </ul>
      </div>
      {actions && <div className={styles['actions']}>{actions}</div>}
    </header>
  )
}
