import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { IconAlertCircle, IconCircleCheck, IconMail } from '../../ui/icons.ts'
import styles from './sign-in.module.css'

interface Props {
  readonly tone: 'done' | 'mail' | 'failed'
  readonly title: string
  readonly children?: ReactNode
  readonly actions?: ReactNode
}

const ICONS = { done: IconCircleCheck, mail: IconMail, failed: IconAlertCircle }

/** How a step ended, in place of its form; read out, because the form that had the focus is gone. */
export function Outcome({ tone, title, children, actions }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const Icon = ICONS[tone]
  return (
    <section className={styles['outcome']} data-tone={tone}>
      <Icon size={28} stroke={1.5} aria-hidden />
      <h1 ref={heading} tabIndex={-1} className={styles['title']}>
        {title}
      </h1>
      {children && <div className={styles['text']}>{children}</div>}
      {actions && <div className={styles['actions']}>{actions}</div>}
    </section>
  )
}
