import { Suspense, useId, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { Tooltip } from '../../../ui/index.ts'
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
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const id = useId()
  const press = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    setAnchor(event.currentTarget)
  }
  const close = (returns: boolean) => {
    if (returns) anchor?.focus()
    setAnchor(null)
  }
  return (
    <>
      <Tooltip label={hint}>
        <button
          type="button"
          className={className}
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          {...(anchor ? { 'aria-controls': id } : {})}
          onClick={({ currentTarget }) => setAnchor((open) => (open ? null : currentTarget))}
          onKeyDown={press}
        >
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
