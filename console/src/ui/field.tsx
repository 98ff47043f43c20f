import { useId } from 'react'
import type { ReactNode } from 'react'
import { IconAlertCircle } from './icons.ts'
import styles from './field.module.css'

export interface FieldTexts {
  readonly label: string
  readonly hideLabel?: boolean
  readonly help?: ReactNode
  readonly error?: string | undefined
}

interface FieldIds {
  readonly id: string
  readonly 'aria-invalid': true | undefined
  readonly 'aria-describedby': string | undefined
}

interface Props extends FieldTexts {
  readonly children: (ids: FieldIds) => ReactNode
}

/** Label above, help below, error in place of the help. */
export function Field({ label, hideLabel = false, help, error, children }: Props) {
  const id = useId()
  const noteId = `${id}-note`
  const note = error ?? help
  const ids: FieldIds = {
    id,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': note ? noteId : undefined,
  }
  return (
    <div className={styles['field']}>
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : styles['label']}>
        {label}
      </label>
      {children(ids)}
      {error ? (
        <p id={noteId} className={styles['error']} role="alert">
          <IconAlertCircle size={14} aria-hidden />
          {error}
        </p>
      ) : (
        help && (
          <p id={noteId} className={styles['help']}>
            {help}
          </p>
        )
      )}
    </div>
  )
}
