import type { ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from 'react'
import styles from './button.module.css'
import { classNames } from './class-names.ts'
import { Spinner } from './spinner.tsx'

type ButtonVariant = 'primary' | 'default' | 'subtle' | 'danger'
type ButtonSize = 'sm' | 'md' | 'lg'

interface Look {
  readonly variant?: ButtonVariant | undefined
  readonly size?: ButtonSize | undefined
  readonly fullWidth?: boolean | undefined
}

/** For links that lead somewhere but look like a button. */
export const buttonClassName = ({ variant = 'default', size = 'md', fullWidth = false }: Look = {}): string =>
  classNames(styles['button'], styles[variant], styles[size], fullWidth && styles['wide'])

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Look {
  /** Shows progress; the button keeps its focus and its size and cannot be pressed. */
  readonly loading?: boolean | undefined
  readonly leftIcon?: ReactNode
  readonly ref?: Ref<HTMLButtonElement>
}

export function Button(props: ButtonProps) {
  const { variant, size, fullWidth, loading = false, leftIcon, children, className, onClick, ...rest } = props
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    if (loading) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      type="button"
      {...rest}
      className={classNames(buttonClassName({ variant, size, fullWidth }), className)}
      aria-disabled={loading || undefined}
      aria-busy={loading || undefined}
      onClick={click}
    >
      {loading ? <Spinner size={14} immediate /> : leftIcon}
      {children}
    </button>
  )
}
