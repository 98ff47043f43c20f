import { account as accountCalls } from '@boathouse/contract/account'
import { AccountId } from '@boathouse/contract/rules'
import { useEffect, useRef, useState } from 'react'
import type { FormEvent } from 'react'
import { t } from '../../i18n/texts.ts'
import { send } from '../../lib/api.ts'
import type { LoggedAccount } from '../../lib/session.ts'
import { Button, NameField } from '../../ui/index.ts'
import { signInRefusal } from './refusal.ts'
import { RememberedAccounts } from './remembered-accounts.tsx'
import styles from './sign-in.module.css'

interface Props {
  readonly remembered: readonly LoggedAccount[]
  readonly trialAddress: string
  readonly onAccount: (accountId: string, region: string) => void
}

const accountIn = (typed: string) => AccountId.safeParse(typed.trim().toUpperCase())

/** Asks which account; the service says in which region it lives. */
export function AccountStep({ remembered, trialAddress, onAccount }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()
  const [working, setWorking] = useState(false)
  useEffect(() => field.current?.focus(), [])

  const refuse = (message: string) => {
    setError(message)
    field.current?.focus()
  }

  const locate = async (accountId: string) => {
    setWorking(true)
    try {
      const found = await send(accountCalls.locate, { accountId }, { silent: true })
      onAccount(found.accountId, found.region)
    } catch (failure) {
      refuse(signInRefusal(failure, t('signIn.noAnswer')))
    } finally {
      setWorking(false)
    }
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (working) return
    setError(undefined)
    // The same rule as the service's, so a slip of the finger costs no round trip.
    const accountId = accountIn(typed)
    if (accountId.success) void locate(accountId.data)
    else refuse(accountId.error.issues[0]?.message ?? '')
  }

  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
      <h1 className={styles['title']}>{t('signIn.accountTitle')}</h1>
      <NameField
        ref={field}
        label={t('signIn.accountId')}
        help={t('signIn.accountIdHelp')}
        error={error}
        onLeft={() => setError(accountIn(typed).error?.issues[0]?.message)}
        size="lg"
        name="account"
        autoComplete="organization"
        autoCapitalize="characters"
        maxLength={32}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button type="submit" variant="primary" size="lg" fullWidth loading={working}>
        {t('signIn.continue')}
      </Button>
      <p className={styles['muted']}>
        {t('signIn.noAccount')} <a href={trialAddress}>{t('signIn.startTrial')}</a>
      </p>
      <RememberedAccounts accounts={remembered} onChoose={onAccount} />
    </form>
  )
}
