import type { ReactNode } from 'react'
import styles from './layout.module.css'

interface Props {
  readonly children: ReactNode
}

/** The frame of a list or a detail page. */
export const Page = ({ children }: Props) => <div className={styles['page']}>{children}</div>

/** Parts of a page or of a tab, one below the other. */
export const Stack = ({ children }: Props) => <div className={styles['stack']}>{children}</div>

interface ToolbarProps extends Props {
  /** First of all, and the part that gives way: the field that a list is searched by. */
  readonly search?: ReactNode
  /** At the other end: the primary action. */
  readonly action?: ReactNode
}

/** What narrows a list, and its primary action: in one line where they fit, whole ones below each other where not. */
export const Toolbar = ({ search, action, children }: Partial<ToolbarProps>) => (
  <div className={styles['toolbar']}>
    {search && <div className={styles['search']}>{search}</div>}
    {children}
    {action && <div className={styles['end']}>{action}</div>}
  </div>
)

interface DetailProps extends Props {
  /** What the panel at the side is about, for those who cannot see it there. */
  readonly sideLabel: string
  readonly side: ReactNode
}

/** A page about one object, with what is known of it at its side. */
export const DetailPage = ({ children, side, sideLabel }: DetailProps) => (
  <div className={styles['detail']}>
    <Page>{children}</Page>
    <aside className={styles['side']} aria-label={sideLabel}>
      {side}
    </aside>
  </div>
)

interface SectionProps extends Props {
  readonly title: string
  /** At the right end of the title. */
  readonly action?: ReactNode
}

export const SideSection = ({ title, action, children }: SectionProps) => (
  <section className={styles['section']}>
    <div className={styles['title']}>
      <h2>{title}</h2>
      {action}
    </div>
    {children}
  </section>
)
