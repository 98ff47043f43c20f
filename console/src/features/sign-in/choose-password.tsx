import { Email } from '@boathouse/contract/mail-address'
import { encodePassword } from '@boathouse/contract/rules'
import { passwordCalls } from '@boathouse/contract/user-passwords'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { t } from '../../i18n/texts.ts'
import { isCallError, send } from '../../lib/api.ts'
import { Button, buttonClassName, Refusal, Spinner, TextField } from '../../ui/index.ts'
import { ruleOf } from '../../lib/form.ts'
import { useSignInForm } from './form.ts'
import { useFollowed } from './link.ts'
import { NewPasswordFields, usePasswordRules } from './new-password.tsx'
import { Outcome } from './outcome.tsx'
import styles from './sign-in.module.css'

export interface SignInPlace {
  readonly accountId: string
  readonly region: string
  readonly user: string
}

interface Props {
  readonly token: string
  readonly signInAddress: (place: SignInPlace) => string
  /** Where to request another link. */
  readonly requestAddress: string
}

/** By a mailed link, who also knows to which address it was mailed. */
export function ResetPassword({ token, signInAddress, requestAddress }: Props) {
  const rules = usePasswordRules()
  const form = useSignInForm({ email: '', password: '', confirm: '' }, { email: ruleOf(Email), ...rules })
  const followed = useFollowed(passwordCalls.passwordResetLink, { token })
  const [done, setDone] = useState<SignInPlace>()
  const [failed, setFailed] = useState(false)
  const again = (
    <a href={requestAddress} className={buttonClassName({ variant: 'primary', size: 'lg', fullWidth: true })}>
      {t('signUp.reset.again')}
    </a>
  )
  if (done)
    return <PasswordChosen title={t('signUp.reset.doneTitle')} place={done} signInAddress={signInAddress} />
  if (followed.state === 'asking') return <Asking />
  if (followed.state === 'refused' || failed)
    return (
      <Outcome tone="failed" title={t('signUp.linkTitle')} actions={again}>
        <p>{followed.state === 'refused' ? followed.message : t('signUp.reset.failed')}</p>
      </Outcome>
    )
  const choose = async ({ email, password }: { email: string; password: string }) => {
    const input = { token, email: Email.parse(email), password: encodePassword(password) }
    try {
      setDone(await send(passwordCalls.resetPassword, input, { silent: true }))
    } catch (failure) {
      if (!isCallError(failure) || failure.codeName !== 'LinkUnusable') throw failure
      setFailed(true)
    }
  }
  return (
    <form className={styles['form']} onSubmit={form.onSubmit(choose)} noValidate>
      <h1 className={styles['title']}>{t('signUp.reset.title')}</h1>
      <Whom place={followed.data} />
      <Refusal text={form.refused} />
      <TextField
        {...form.field('email')}
        label={t('signUp.email')}
        help={t('signUp.reset.emailHelp')}
        size="lg"
        type="email"
        autoComplete="email"
      />
      <NewPasswordFields field={form.field} label={t('signUp.newPassword')} />
      <Button type="submit" variant="primary" size="lg" fullWidth loading={form.working}>
        {t('signUp.reset.submit')}
      </Button>
    </form>
  )
}

/** Accepts an invitation. */
export function SetUpPassword({ token, signInAddress }: Omit<Props, 'requestAddress'>) {
  const form = useSignInForm({ password: '', confirm: '' }, usePasswordRules())
  const followed = useFollowed(passwordCalls.invitationLink, { token })
  const [done, setDone] = useState<SignInPlace>()
  if (done)
    return <PasswordChosen title={t('signUp.setUp.doneTitle')} place={done} signInAddress={signInAddress} />
  if (followed.state === 'asking') return <Asking />
  if (followed.state === 'refused')
    return (
      <Outcome tone="failed" title={t('signUp.linkTitle')}>
        <p>{followed.message}</p>
        <p>{t('signUp.setUp.again')}</p>
      </Outcome>
    )
  const choose = async ({ password }: { password: string }) =>
    setDone(
      await send(
        passwordCalls.setUpPassword,
        { token, password: encodePassword(password) },
        { silent: true },
      ),
    )
  return (
    <form className={styles['form']} onSubmit={form.onSubmit(choose)} noValidate>
      <h1 className={styles['title']}>{t('signUp.setUp.title', { account: followed.data.accountName })}</h1>
      <Whom place={followed.data} />
      <Refusal text={form.refused} />
      <NewPasswordFields field={form.field} label={t('signIn.password')} />
      <Button type="submit" variant="primary" size="lg" fullWidth loading={form.working}>
        {t('signUp.setUp.submit')}
      </Button>
    </form>
  )
}

/** A browser's password manager keeps the new password for this user. */
function Whom({ place }: { place: SignInPlace }) {
  return (
    <p className={styles['lead']}>
      {t('signUp.whom', { user: place.user })} <code>{place.accountId}</code>
      <input type="text" name="username" autoComplete="username" value={place.user} readOnly hidden />
    </p>
  )
}

export function Asking(): ReactNode {
  return (
    <div className={styles['asking']}>
      <Spinner size={22} label={t('shell.loading')} />
    </div>
  )
}

interface ChosenProps {
  readonly title: string
  readonly place: SignInPlace
  readonly signInAddress: Props['signInAddress']
}

function PasswordChosen({ title, place, signInAddress }: ChosenProps) {
  const signIn = (
    <a
      href={signInAddress(place)}
      className={buttonClassName({ variant: 'primary', size: 'lg', fullWidth: true })}
    >
      {t('signIn.submit')}
    </a>
  )
  return (
    <Outcome tone="done" title={title} actions={signIn}>
      <p>{t('signUp.chosen', { user: place.user, account: place.accountId })}</p>
    </Outcome>
  )
}
