import { encodePassword, MESSAGES } from '@boathouse/contract/rules'
import { passwordCalls } from '@boathouse/contract/user-passwords'
import { t } from '../../i18n/texts.ts'
import { send } from '../../lib/api.ts'
import { recordChange } from '../../lib/recent-changes.ts'
import { Button, PasswordField, Refusal } from '../../ui/index.ts'
import { useSignInForm } from './form.ts'
import { NewPasswordFields, usePasswordRules } from './new-password.tsx'
import styles from './sign-in.module.css'

interface Props {
  readonly user: string
  /** The login has ended with the old password. */
  readonly onChanged: () => void
}

export function ChangePassword({ user, onChanged }: Props) {
  const form = useSignInForm(
    { current: '', password: '', confirm: '' },
    {
      current: (value) => (value === '' ? MESSAGES.currentPasswordMissing : undefined),
      ...usePasswordRules(),
    },
  )
  const change = async ({ current, password }: { current: string; password: string }) => {
    const input = {
      username: user,
      password: encodePassword(password),
      currentPassword: encodePassword(current),
    }
    await send(passwordCalls.changePassword, input, { silent: true })
    recordChange(passwordCalls.changePassword, input)
    onChanged()
  }
  return (
    <form
      className={styles['form']}
      onSubmit={form.onSubmit(change)}
      noValidate
      aria-label={t('signUp.change.title')}
    >
      <Refusal text={form.refused} />
      <input type="text" name="username" autoComplete="username" value={user} readOnly hidden />
      <PasswordField
        {...form.field('current')}
        label={t('signUp.change.current')}
        autoComplete="current-password"
      />
      <NewPasswordFields field={form.field} label={t('signUp.newPassword')} size="md" />
      <p className={styles['note']}>{t('signUp.change.note')}</p>
      <Button type="submit" variant="primary" loading={form.working} className={styles['end']}>
        {t('signUp.change.submit')}
      </Button>
    </form>
  )
}
