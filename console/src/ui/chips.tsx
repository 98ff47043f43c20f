import type { ReactNode } from 'react'
import styles from './chips.module.css'
import { IconButton } from './icon-button.tsx'
import { IconX } from './icons.ts'

export interface Chip {
  readonly id: string
  readonly content: ReactNode
  /** Without it, the chip stays. */
  readonly remove?: { readonly label: string; readonly onClick: () => void } | undefined
}

/** Names in a row, which wraps; each that can be removed has a button of its own. */
export function Chips({ label, chips }: { label?: string | undefined; chips: readonly Chip[] }) {
  if (chips.length === 0) return null
  return (
    <ul className={styles['chips']} aria-label={label}>
      {chips.map(({ id, content, remove }) => (
        <li key={id}>
          {content}
          {remove && (
            <IconButton size="sm" label={remove.label} onClick={remove.onClick}>
              <IconX size={14} aria-hidden />
            </IconButton>
          )}
        </li>
      ))}
    </ul>
  )
}
