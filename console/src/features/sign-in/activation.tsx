import { encodePassword, MESSAGES } from '@boathouse/contract/rules'
import { signUpCalls } from '@boathouse/contract/sign-up'
import { t } from '../../i18n/texts.ts'
import { send } from '../../lib/api.ts'
import { Button, buttonClassName, PasswordField, Refusal } from '../../ui/index.ts'
import { Asking } from './choose-password.tsx'
import { useSignInForm } from './form.ts'
import { useFollowed } from './link.ts'
import { Outcome } from './outcome.tsx'
import styles from './sign-in.module.css'

interface Props {
  readonly token: string
  readonly freeTrialAddress: string
  readonly onActivated: (setUpToken: string) => void
}

/** The link of the mail and the password of the sign-up together open the account. */
export function Activation({ token, freeTrialAddress, onActivated }: Props) {
  const followed = useFollowed(signUpCalls.activationLink, { token })
  const form = useSignInForm(
    { password: '' },
    { password: (value) => (value === '' ? MESSAGES.passwordMissing : undefined) },
  )
  if (followed.state === 'asking') return <Asking />
  if (followed.state === 'refused')
    return (
      <Outcome
        tone="failed"
        title={t('signUp.linkTitle')}
        actions={
          <a
            href={freeTrialAddress}
            className={buttonClassName({ variant: 'primary', size: 'lg', fullWidth: true })}
          >
            {t('signUp.activation.again')}
          </a>
        }
      >
        <p>{followed.message}</p>
      </Outcome>
    )
  const { firstName, email } = followed.data
  const activate = async ({ password }: { password: string }) => {
    const input = { token, password: encodePassword(password) }
    onActivated((await send(signUpCalls.activate, input, { silent: true })).setUpToken)
  }
  return (
    <form className={styles['form']} onSubmit={form.onSubmit(activate)} noValidate>
      <h1 className={styles['title']}>{t('signUp.activation.title', { firstName })}</h1>
      <p className={styles['lead']}>{t('signUp.activation.lead', { email })}</p>
      <Refusal text={form.refused} />
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        {...form.field('password')}
        label={t('signIn.password')}
        help={t('signUp.activation.help')}
        size="lg"
        autoComplete="current-password"
      />
      <Button type="submit" variant="primary" size="lg" fullWidth loading={form.working}>
        {t('signUp.activation.submit')}
      </Button>
    </form>
  )
}
