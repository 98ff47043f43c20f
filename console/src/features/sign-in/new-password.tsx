import { MESSAGES, Password, PASSWORD_PARTS } from '@boathouse/contract/rules'
import { t } from '../../i18n/texts.ts'
import { isPasswordRuleOff } from '../../lib/password-rule.ts'
import { IconCircle, IconCircleCheck } from '../../ui/icons.ts'
import { PasswordField } from '../../ui/index.ts'
import styles from './sign-in.module.css'
import type { FormField } from '../../lib/form.ts'

interface Chosen {
  readonly password: string
  readonly confirm: string
}

/** The keys of the two messages are the specification's. */
export function usePasswordRules() {
  return {
    password: (value: string) => {
      if (value === '') return t('signUp.passwordErr')
      return isPasswordRuleOff() || Password.safeParse(value).success ? undefined : t('signUp.pwdFormatError')
    },
    confirm: (value: string, all: Chosen) => (value === all.password ? undefined : MESSAGES.passwordsDiffer),
  }
}

type FieldOf = (name: 'password' | 'confirm') => FormField

interface Props {
  readonly field: FieldOf
  readonly label: string
  readonly size?: 'md' | 'lg'
}

/** A password that is being chosen, twice, with the parts of the rule that it fulfils already. */
export function NewPasswordFields({ field, label, size = 'lg' }: Props) {
  const password = field('password')
  return (
    <>
      <div>
        <PasswordField {...password} label={label} size={size} autoComplete="new-password" />
        <PasswordParts password={password.value} />
      </div>
      <PasswordField
        {...field('confirm')}
        label={t('signUp.confirm')}
        size={size}
        autoComplete="new-password"
      />
    </>
  )
}

export function PasswordParts({ password }: { password: string }) {
  if (isPasswordRuleOff()) return null
  return (
    <ul className={styles['parts']}>
      {PASSWORD_PARTS.map(({ name, fits }) => {
        const done = fits(password)
        const Icon = done ? IconCircleCheck : IconCircle
        return (
          <li key={name} data-done={done || undefined}>
            <Icon size={14} aria-hidden />
            {t(`signUp.part.${name}`)}
            <span className="visually-hidden">{done ? t('signUp.part.done') : t('signUp.part.missing')}</span>
          </li>
        )
      })}
    </ul>
  )
}
