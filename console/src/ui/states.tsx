import type { ReactNode } from 'react'
import { t } from '../i18n/texts.ts'
import { Button } from './button.tsx'
import { useCopy } from './copy.tsx'
import { IconAlertTriangle, IconLock } from './icons.ts'
import styles from './states.module.css'

interface Shape {
  readonly icon?: ReactNode
  readonly title: ReactNode
  readonly children?: ReactNode
  readonly actions?: ReactNode
  /** A whole page has its own heading; a panel's state is a paragraph in it. */
  readonly page?: boolean
  readonly role?: 'alert'
}

function State({ icon, title, children, actions, page = false, role }: Shape) {
  const Title = page ? 'h1' : 'h2'
  return (
    <div className={styles['state']} data-page={page || undefined} role={role}>
      {icon && <span className={styles['icon']}>{icon}</span>}
      <Title className={styles['title']}>{title}</Title>
      {children && <div className={styles['body']}>{children}</div>}
      {actions && <div className={styles['actions']}>{actions}</div>}
    </div>
  )
}

export interface EmptyStateProps extends Omit<Shape, 'role'> {
  /** Why it is empty, or what will be here. */
  readonly children: ReactNode
}

/** Says why nothing is here, and offers the next step, where there is one that the user may take. */
export const EmptyState = (props: EmptyStateProps) => <State {...props} />

export interface ErrorStateProps {
  readonly title: string
  /** What happened, in words. */
  readonly what?: ReactNode
  /** What the user can do about it. */
  readonly todo?: ReactNode
  readonly onRetry?: () => void
  readonly retryLabel?: string
  /** For a person who is asked for help. */
  readonly details?: string
  readonly actions?: ReactNode
  readonly page?: boolean
}

export function ErrorState(props: ErrorStateProps) {
  const { title, what, todo, onRetry, retryLabel, details, actions, page = false } = props
  const copy = useCopy()
  const buttons = (
    <>
      {onRetry && (
        <Button variant="primary" onClick={onRetry}>
          {retryLabel ?? t('ui.retry')}
        </Button>
      )}
      {actions}
      {details && <Button onClick={() => copy(details)}>{t('ui.copyDetails')}</Button>}
    </>
  )
  const icon = <IconAlertTriangle size={28} stroke={1.5} aria-hidden />
  return (
    <State icon={icon} title={title} actions={buttons} page={page} role="alert">
      {what && <p>{what}</p>}
      {todo && <p>{todo}</p>}
    </State>
  )
}

interface NoPermissionProps {
  readonly title: string
  /** The refusal, in words. */
  readonly text: string
  /** Which role or privilege is missing, and who can grant it. */
  readonly missing?: ReactNode
  readonly actions?: ReactNode
  readonly page?: boolean
}

export function NoPermission({ title, text, missing, actions, page = false }: NoPermissionProps) {
  return (
    <State icon={<IconLock size={28} stroke={1.5} aria-hidden />} title={title} actions={actions} page={page}>
      <p>{text}</p>
      {missing && <p>{missing}</p>}
    </State>
  )
}
