import { Email } from '@boathouse/contract/mail-address'
import { AccountId } from '@boathouse/contract/rules'
import { passwordCalls } from '@boathouse/contract/user-passwords'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { send } from '../../lib/api.ts'
import { Button, buttonClassName, NameField, Refusal, TextField } from '../../ui/index.ts'
import { ruleOf } from '../../lib/form.ts'
import { isMailKept } from '../../lib/kept-mail.ts'
import { useSignInForm } from './form.ts'
import { Outcome } from './outcome.tsx'
import styles from './sign-in.module.css'

interface Props {
  /** May be empty. */
  readonly knownAccount: string
  readonly signInAddress: string
}

const account = ruleOf(AccountId)

/** Asks for a link; the answer is the same for everybody, so it says 'if'. */
export function RequestReset({ knownAccount, signInAddress }: Props) {
  const [sentTo, setSentTo] = useState<string>()
  const form = useSignInForm(
    { accountId: knownAccount, email: '' },
    { accountId: (value, all) => account(value.trim().toUpperCase(), all), email: ruleOf(Email) },
  )
  const back = (
    <a href={signInAddress} className={buttonClassName({ size: 'lg', fullWidth: true })}>
      {t('signUp.toSignIn')}
    </a>
  )
  if (sentTo !== undefined)
    return (
      <Outcome tone="mail" title={t('signUp.reset.sentTitle')} actions={back}>
        <p>{t('signUp.reset.sent', { email: sentTo })}</p>
        {isMailKept() && <p>{t('shell.mailKept')}</p>}
        <p>{t('signUp.reset.sentHelp')}</p>
        <p>{t('signUp.reset.noAddress')}</p>
      </Outcome>
    )
  const ask = async ({ accountId, email }: { accountId: string; email: string }) => {
    const input = { accountId: accountId.trim().toUpperCase(), email: Email.parse(email) }
    await send(passwordCalls.requestPasswordReset, input, { silent: true })
    setSentTo(input.email)
  }
  return (
    <form className={styles['form']} onSubmit={form.onSubmit(ask)} noValidate>
      <h1 className={styles['title']}>{t('signUp.reset.requestTitle')}</h1>
      <p className={styles['lead']}>{t('signUp.reset.request')}</p>
      <Refusal text={form.refused} />
      <NameField
        {...form.field('accountId')}
        label={t('signIn.accountId')}
        size="lg"
        autoCapitalize="characters"
        maxLength={32}
      />
      <TextField
        {...form.field('email')}
        label={t('signUp.email')}
        size="lg"
        type="email"
        autoComplete="email"
      />
      <Button type="submit" variant="primary" size="lg" fullWidth loading={form.working}>
        {t('signUp.reset.send')}
      </Button>
      {back}
    </form>
  )
}
