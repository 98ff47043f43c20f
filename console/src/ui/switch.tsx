import { useId } from 'react'
import type { ReactNode } from 'react'
import styles from './switch.module.css'

interface Props {
  readonly label: string
  readonly help?: ReactNode
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}

export function Switch({ label, help, checked, onChange }: Props) {
  const helpId = useId()
  return (
    <div className={styles['switch']}>
      <label className={styles['label']}>
        <input
          type="checkbox"
          role="switch"
          className={styles['input']}
          checked={checked}
          aria-checked={checked}
          onChange={(event) => onChange(event.currentTarget.checked)}
          aria-describedby={help ? helpId : undefined}
        />
        {label}
      </label>
      {help && (
        <p id={helpId} className={styles['help']}>
          {help}
        </p>
      )}
    </div>
  )
}
