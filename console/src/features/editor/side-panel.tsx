import type { ReactNode } from 'react'
import { t } from '../../i18n/texts.ts'
import { Button, Skeleton, TextField } from '../../ui/index.ts'
import styles from './side-panel.module.css'

interface Props {
  readonly title: string
  readonly actions: ReactNode
  readonly filterLabel: string
  readonly filter: string
  readonly onFilter: (text: string) => void
  readonly children: ReactNode
}

/** A tree with its title and a filter, at the left of the editor. */
export const SidePanel = ({ title, actions, filterLabel, filter, onFilter, children }: Props) => (
  <section className={styles['panel']} aria-label={title}>
    <header className={styles['header']}>
      <h2 className={styles['title']}>{title}</h2>
      {actions}
    </header>
    <div className={styles['filter']}>
      <TextField
        label={filterLabel}
        hideLabel
        placeholder={filterLabel}
        value={filter}
        onChange={(event) => onFilter(event.target.value)}
      />
    </div>
    <div className={styles['content']}>{children}</div>
  </section>
)

export const PanelNote = ({ children }: { children: ReactNode }) => (
  <p className={styles['note']}>{children}</p>
)

export function PanelFailure({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <p className={styles['note']} role="alert">
      {message}
      <Button size="sm" onClick={onRetry}>
        {t('ui.retry')}
      </Button>
    </p>
  )
}

const WIDTHS = ['70%', '55%', '80%', '60%', '45%']

export const PanelLoading = () => (
  <div className={styles['loading']}>
    {WIDTHS.map((width) => (
      <Skeleton key={width} width={width} />
    ))}
  </div>
)
