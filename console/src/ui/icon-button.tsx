import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { classNames } from './class-names.ts'
import styles from './icon-button.module.css'
import { Tooltip } from './tooltip.tsx'

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label'> {
  /** The accessible name, and the tooltip. */
  readonly label: string
  readonly size?: 'sm' | 'md'
  readonly children: ReactNode
  readonly ref?: Ref<HTMLButtonElement>
}

export function IconButton({ label, size = 'md', children, className, ...rest }: IconButtonProps) {
  return (
    <Tooltip label={label}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        className={classNames(styles['icon'], styles[size], className)}
      >
        {children}
      </button>
    </Tooltip>
  )
}
