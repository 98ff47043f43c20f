import type { InputHTMLAttributes, Ref } from 'react'
import { classNames } from './class-names.ts'
import { Field } from './field.tsx'
import type { FieldTexts } from './field.tsx'
import styles from './field.module.css'
import { leaving, type Left } from './leaving.ts'

export interface TextFieldProps
  extends Omit<InputHTMLAttributes<HTMLInputElement>, 'size'>, FieldTexts, Left {
  readonly size?: 'md' | 'lg'
  /** For identifiers. */
  readonly mono?: boolean
  readonly ref?: Ref<HTMLInputElement>
}

export function TextField(props: TextFieldProps) {
  const { label, hideLabel, help, error, size = 'md', mono = false, className, onLeft, ...input } = props
  const look = classNames(
    styles['input'],
    size === 'lg' && styles['large'],
    mono && styles['mono'],
    className,
  )
  return (
    <Field label={label} hideLabel={hideLabel ?? false} help={help} error={error}>
      {(ids) => (
        <input type="text" {...input} {...ids} onBlur={leaving({ onLeft }, input.onBlur)} className={look} />
      )}
    </Field>
  )
}
