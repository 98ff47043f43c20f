import type { Ref, TextareaHTMLAttributes } from 'react'
import { classNames } from './class-names.ts'
import { Field } from './field.tsx'
import type { FieldTexts } from './field.tsx'
import styles from './field.module.css'
import { leaving, type Left } from './leaving.ts'

interface Props extends TextareaHTMLAttributes<HTMLTextAreaElement>, FieldTexts, Left {
  readonly ref?: Ref<HTMLTextAreaElement>
}

/** A text of several lines that is code. */
export function CodeArea({ label, hideLabel, help, error, onLeft, ...area }: Props) {
  return (
    <Field label={label} hideLabel={hideLabel ?? false} help={help} error={error}>
      {(ids) => (
        <textarea
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...area}
          {...ids}
          onBlur={leaving({ onLeft }, area.onBlur)}
          className={classNames(styles['input'], styles['mono'])}
          style={{ height: 'auto', padding: '6px 10px', resize: 'vertical' }}
        />
      )}
    </Field>
  )
}
