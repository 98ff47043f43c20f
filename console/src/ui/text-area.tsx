import type { Ref, TextareaHTMLAttributes } from 'react'
import { classNames } from './class-names.ts'
import { Field } from './field.tsx'
import type { FieldTexts } from './field.tsx'
import styles from './field.module.css'
import { leaving, type Left } from './leaving.ts'

interface Props extends TextareaHTMLAttributes<HTMLTextAreaElement>, FieldTexts, Left {
  readonly ref?: Ref<HTMLTextAreaElement>
  readonly isCode?: boolean
}

/** A text of several lines that is code. */
export const CodeArea = (props: Props) => (
  <TextArea autoComplete="off" autoCapitalize="none" spellCheck={false} {...props} isCode />
)

/** A text of several lines. */
export function TextArea({ label, hideLabel, help, error, onLeft, isCode, ...area }: Props) {
  return (
    <Field label={label} hideLabel={hideLabel ?? false} help={help} error={error}>
      {(ids) => (
        <textarea
          {...area}
          {...ids}
          onBlur={leaving({ onLeft }, area.onBlur)}
          className={classNames(styles['input'], isCode && styles['mono'])}
          style={{ height: 'auto', padding: '6px 10px', resize: 'vertical' }}
        />
      )}
    </Field>
  )
}
