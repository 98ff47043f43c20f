import type { ReactNode } from 'react'
import styles from './standalone.module.css'

/** A page outside the shell, with nothing but its message. */
export const Standalone = ({ children }: { children: ReactNode }) => (
  <main className={styles['page']}>{children}</main>
)
