import { contract, encodePassword, MESSAGES, UserName } from '@boathouse/contract'
import type { UserInfo } from '@boathouse/contract'
import { useEffect, useRef, useState } from 'react'
import type { FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { send } from '../../lib/api.ts'
import { session } from '../../lib/session.ts'
import { IconAlertCircle } from '../../ui/icons.ts'
import { Button, PasswordField, TextField } from '../../ui/index.ts'
import { refusalText } from './refusal.ts'
import styles from './sign-in.module.css'

interface Props {
  readonly accountId: string
  readonly region: string | null
  /** Who signed in here last; may be empty. */
  readonly knownUser: string
  readonly onOtherAccount: () => void
  readonly onSignedIn: (info: UserInfo) => void
}

interface Errors {
  readonly user?: string | undefined
  readonly password?: string | undefined
  /** Of the pair: the service does not say which of the two is wrong. */
  readonly refused?: string
}

function check(userName: string, password: string): Errors {
  const user = UserName.safeParse(userName)
  return {
    ...(user.success ? {} : { user: user.error.issues[0]?.message }),
    ...(password ? {} : { password: MESSAGES.passwordMissing }),
  }
}

/** Asks who. Nothing typed is lost by a refusal. */
export function UserStep({ accountId, region, knownUser, onOtherAccount, onSignedIn }: Props) {
  const { t } = useTranslation()
  const userField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)
  const [userName, setUserName] = useState(knownUser)
  const [password, setPassword] = useState('')
  const [errors, setErrors] = useState<Errors>({})
  const [working, setWorking] = useState(false)

  useEffect(() => (knownUser ? passwordField : userField).current?.focus(), [knownUser])

  const signIn = async () => {
    setWorking(true)
    try {
      const input = { accountId, username: userName.trim(), password: encodePassword(password) }
      const login = await send(contract.user.login, input, { silent: true })
      session.start(login)
      onSignedIn(login.info)
    } catch (failure) {
      setErrors({ refused: refusalText(failure, t('signIn.noAnswer')) })
      passwordField.current?.select()
    } finally {
      setWorking(false)
    }
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (working) return
    const found = check(userName.trim(), password)
    setErrors(found)
    if (found.user) userField.current?.focus()
    else if (found.password) passwordField.current?.focus()
    else void signIn()
  }

  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
      <h1 className={styles['title']}>{t('signIn.userTitle')}</h1>
      <AccountLine accountId={accountId} region={region} onOtherAccount={onOtherAccount} />
      {errors.refused && (
        <p className={styles['refused']} role="alert">
          <IconAlertCircle size={16} aria-hidden />
          {errors.refused}
        </p>
      )}
      <TextField
        ref={userField}
        label={t('signIn.userName')}
        error={errors.user}
        size="lg"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={userName}
        onChange={(event) => setUserName(event.target.value)}
      />
      <PasswordField
        ref={passwordField}
        label={t('signIn.password')}
        error={errors.password}
        size="lg"
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button type="submit" variant="primary" size="lg" fullWidth loading={working}>
        {t('signIn.submit')}
      </Button>
    </form>
  )
}

type LineProps = Pick<Props, 'accountId' | 'region' | 'onOtherAccount'>

function AccountLine({ accountId, region, onOtherAccount }: LineProps) {
  const { t } = useTranslation()
  return (
    <div className={styles['line']}>
      <p>
        <span className={styles['muted']}>{t('signIn.signedInTo')}</span> <code>{accountId}</code>
        {region && <span className={styles['muted']}> · {region}</span>}
      </p>
      <button type="button" className={styles['link']} onClick={onOtherAccount}>
        {t('signIn.otherAccount')}
      </button>
    </div>
  )
}
