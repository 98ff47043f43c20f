import { encodePassword, MESSAGES, UserName } from '@boathouse/contract/rules'
import { user as userCalls, type UserInfo } from '@boathouse/contract/user'
import { useEffect, useRef, useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { t } from '../../i18n/texts.ts'
import { send } from '../../lib/api.ts'
import { session } from '../../lib/session.ts'
import { Button, PasswordField, Refusal, TextField } from '../../ui/index.ts'
import { signInRefusal } from './refusal.ts'
import styles from './sign-in.module.css'

interface Props {
  readonly accountId: string
  /** Who signed in here last; may be empty. */
  readonly knownUser: string
  /** Above the fields. */
  readonly heading: ReactNode
  /** Below the button. */
  readonly children: ReactNode
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

/** Signs in with user name and password. Nothing typed is lost by a refusal. */
export function Credentials({ accountId, knownUser, heading, children, onSignedIn }: Props) {
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
      const login = await send(userCalls.login, input, { silent: true })
      session.start(login)
      onSignedIn(login.info)
    } catch (failure) {
      setErrors({ refused: signInRefusal(failure, t('signIn.noAnswer')) })
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
      {heading}
      <Refusal text={errors.refused} />
      <TextField
        ref={userField}
        data-autofocus={!knownUser || undefined}
        label={t('signIn.userName')}
        error={errors.user}
        onLeft={() => setErrors((before) => ({ ...before, user: check(userName.trim(), password).user }))}
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
        data-autofocus={Boolean(knownUser) || undefined}
        label={t('signIn.password')}
        error={errors.password}
        onLeft={() => setErrors((before) => ({ ...before, password: undefined }))}
        size="lg"
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button type="submit" variant="primary" size="lg" fullWidth loading={working}>
        {t('signIn.submit')}
      </Button>
      {children}
    </form>
  )
}
