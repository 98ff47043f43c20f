import { Suspense } from 'react'
import type { ReactNode } from 'react'
import { Tooltip, useMenuAnchor } from '../../../ui/index.ts'
import { OpenPill } from './open-pill.ts'
import styles from '../toolbar.module.css'

interface Props {
  readonly hint: string
  readonly className?: string | undefined
  /** What is chosen now. */
  readonly children: ReactNode
  /** Loaded when it is opened for the first time. */
  readonly menu: ReactNode
}

/** Says what is chosen, and opens a menu of what else there is. */
export function Pill({ hint, className = styles['place'], children, menu }: Props) {
  const { id, anchor, button, close } = useMenuAnchor()
  return (
    <>
      <Tooltip label={hint}>
        <button type="button" className={className} {...button}>
          {children}
        </button>
      </Tooltip>
      {anchor && (
        <Suspense>
          <OpenPill value={{ id, anchor, onClose: close }}>{menu}</OpenPill>
        </Suspense>
      )}
    </>
  )
}
