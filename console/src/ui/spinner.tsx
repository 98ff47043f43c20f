import styles from './spinner.module.css'

interface Props {
  readonly size?: number
  /** Says what is awaited; without it the spinner is decoration beside a text. */
  readonly label?: string
  /** Shown at once instead of after 200 ms: where the user has just pressed something. */
  readonly immediate?: boolean
}

export function Spinner({ size = 18, label, immediate = false }: Props) {
  return (
    <span
      className={styles['spinner']}
      data-immediate={immediate || undefined}
      style={{ width: size, height: size }}
      role={label ? 'status' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    />
  )
}
