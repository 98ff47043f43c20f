import { useId } from 'react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './panel.module.css'

interface Props {
  readonly title?: ReactNode
  /** At the right end of the title. */
  readonly actions?: ReactNode
  readonly children: ReactNode
  readonly className?: string | undefined
}

export function Panel({ title, actions, children, className }: Props) {
  const id = useId()
  return (
    <section className={classNames(styles['panel'], className)} aria-labelledby={title ? id : undefined}>
      {title && (
        <header className={styles['header']}>
          <h2 id={id} className={styles['title']}>
            {title}
          </h2>
          {actions}
        </header>
      )}
      <div className={styles['body']}>{children}</div>
    </section>
  )
}
