import type { ReactNode } from 'react'
import styles from './badge.module.css'

export type Tone = 'neutral' | 'accent' | 'ok' | 'warn' | 'err'

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={styles['badge']} data-tone={tone}>
      {children}
    </span>
  )
}

/** A state is a dot and a word, never colour alone. */
export function StateDot({
  tone,
  children,
  pulse = false,
}: {
  tone: Tone
  children: ReactNode
  pulse?: boolean
}) {
  return (
    <span className={styles['state']} data-tone={tone}>
      <span className={styles['dot']} data-pulse={pulse || undefined} aria-hidden />
      {children}
    </span>
  )
}
