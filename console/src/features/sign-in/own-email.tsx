import { Email } from '@boathouse/contract/mail-address'
import { encodePassword } from '@boathouse/contract/rules'
import { addressCalls } from '@boathouse/contract/user-addresses'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { send } from '../../lib/api.ts'
import { ruleOf } from '../../lib/form.ts'
import { isMailKept } from '../../lib/kept-mail.ts'
import { Button, PasswordField, Refusal, TextField } from '../../ui/index.ts'
import { useSignInForm } from './form.ts'
import styles from './sign-in.module.css'

interface Props {
  readonly hasEmail: boolean
}

/** Requests another address for the user; it applies once the mailed link was used. */
export function OwnEmail({ hasEmail }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [mailedTo, setMailedTo] = useState<string>()
  if (mailedTo !== undefined)
    return (
      <div className={styles['form']} role="status">
        <p className={styles['note']}>{t('signUp.ownEmail.sent', { email: mailedTo })}</p>
        {isMailKept() && <p className={styles['note']}>{t('shell.mailKept')}</p>}
      </div>
    )
  return (
    <div className={styles['form']}>
      <p className={styles['note']}>{hasEmail ? t('signUp.ownEmail.why') : t('signUp.ownEmail.missing')}</p>
      {isOpen ? (
        <EmailForm onSent={setMailedTo} />
      ) : (
        <Button className={styles['end']} onClick={() => setOpen(true)}>
          {hasEmail ? t('signUp.ownEmail.change') : t('signUp.ownEmail.add')}
        </Button>
      )}
    </div>
  )
}

function EmailForm({ onSent }: { onSent: (email: string) => void }) {
  const form = useSignInForm({ email: '', password: '' }, { email: ruleOf(Email), password: () => undefined })
  const ask = async ({ email, password }: { email: string; password: string }) => {
    // Who signs in at an issuer alone has none; the service says when it is missing.
    const proof = password === '' ? {} : { password: encodePassword(password) }
    const input = { email: Email.parse(email), ...proof }
    onSent((await send(addressCalls.requestEmailChange, input, { silent: true })).mailedTo)
  }
  return (
    <form
      className={styles['form']}
      onSubmit={form.onSubmit(ask)}
      noValidate
      aria-label={t('signUp.ownEmail.title')}
    >
      <Refusal text={form.refused} />
      <TextField
        {...form.field('email')}
        label={t('signUp.ownEmail.address')}
        help={t('signUp.emailHelp')}
        type="email"
        autoComplete="email"
      />
      <PasswordField
        {...form.field('password')}
        label={t('signUp.sso.password')}
        autoComplete="current-password"
      />
      <Button type="submit" loading={form.working} className={styles['end']}>
        {t('signUp.ownEmail.submit')}
      </Button>
    </form>
  )
}
