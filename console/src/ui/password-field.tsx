import { useState } from 'react'
import type { InputHTMLAttributes, KeyboardEvent, Ref } from 'react'
import { t } from '../i18n/texts.ts'
import { classNames } from './class-names.ts'
import { Field } from './field.tsx'
import type { FieldTexts } from './field.tsx'
import styles from './field.module.css'
import { leaving, type Left } from './leaving.ts'
import { IconEye, IconEyeOff } from './icons.ts'

export interface PasswordFieldProps
  extends Omit<InputHTMLAttributes<HTMLInputElement>, 'size' | 'type'>, FieldTexts, Left {
  readonly size?: 'md' | 'lg'
  readonly ref?: Ref<HTMLInputElement>
}

export function PasswordField(props: PasswordFieldProps) {
  const { label, hideLabel, help, error, size = 'md', onLeft, ...input } = props
  const [shown, setShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const look = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  return (
    <Field label={label} hideLabel={hideLabel ?? false} help={help} error={error}>
      {(ids) => (
        <>
          <div className={styles['withButton']}>
            <input
              {...input}
              {...ids}
              type={shown ? 'text' : 'password'}
              className={classNames(styles['input'], size === 'lg' && styles['large'])}
              onBlur={leaving({ onLeft }, input.onBlur)}
              onKeyDown={look}
              onKeyUp={look}
            />
            <button
              type="button"
              className={styles['inside']}
              aria-label={shown ? t('ui.hidePassword') : t('ui.showPassword')}
              onClick={() => setShown(!shown)}
            >
              {shown ? <IconEyeOff size={16} aria-hidden /> : <IconEye size={16} aria-hidden />}
            </button>
          </div>
          {capsLock && (
            <p className={styles['hint']} role="status">
              {t('ui.capsLock')}
            </p>
          )}
        </>
      )}
    </Field>
  )
}
