import { IDENTITY_MESSAGES } from '@boathouse/contract/identity-messages'
import type { Output } from '@boathouse/contract/call'
import { sso } from '@boathouse/contract/sso'
import type { UserInfo } from '@boathouse/contract/user'
import { useEffect, useEffectEvent, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { send } from '../../lib/api.ts'
import { session } from '../../lib/session.ts'
import { buttonClassName } from '../../ui/index.ts'
import { Asking } from './choose-password.tsx'
import { Outcome } from './outcome.tsx'
import { refusalText } from './refusal.ts'
import { type BegunSso, rememberConfirming, takeSso } from './sso-memory.ts'

interface Props {
  /** The query with which the issuer sent the browser back. */
  readonly answer: string
  readonly signInAddress: (accountId: string | null) => string
  readonly onSignedIn: (info: UserInfo, next: string | null) => void
  /** Who connected their user goes back to where they were. */
  readonly onConnected: (next: string | null) => void
}

/** Null: a user who is signed in was connected. */
type Finished = Output<typeof sso.finish> | null
type Login = Extract<Finished, { token: string }>

const finishing = new Map<string, Promise<Finished>>()

/** An answer is valid once, and an effect may run twice. */
function finishOnce({ secret, connects }: BegunSso, answer: string): Promise<Finished> {
  const begin = (): Promise<Finished> =>
    connects
      ? send(sso.finishConnect, { secret, answer }, { silent: true }).then(() => null)
      : send(sso.finish, { secret, answer }, { silent: true })
  const running = finishing.get(secret) ?? begin()
  finishing.set(secret, running)
  return running
}

export function SsoReturn({ answer, signInAddress, onSignedIn, onConnected }: Props) {
  const [begun] = useState(takeSso)
  const [failed, setFailed] = useState<string | undefined>(
    begun === null ? IDENTITY_MESSAGES.ssoOver : undefined,
  )
  const [entered, setEntered] = useState(false)
  const [mailedTo, setMailedTo] = useState<string>()
  const enter = useEffectEvent((login: Login) => {
    session.start(login)
    if (!begun?.closes) return onSignedIn(login.info, begun?.next ?? null)
    setEntered(true)
    window.close()
  })
  const follow = useEffectEvent((finished: Finished) => {
    if (finished === null) return onConnected(begun?.next ?? null)
    if ('token' in finished) return enter(finished)
    if (begun) rememberConfirming(begun)
    setMailedTo(finished.mailedTo)
  })
  useEffect(() => {
    if (!begun) return undefined
    let left = false
    finishOnce(begun, answer).then(
      (finished) => !left && follow(finished),
      (failure: unknown) => !left && setFailed(refusalText(failure, t('signIn.noAnswer'))),
    )
    return () => {
      left = true
    }
  }, [begun, answer])
  if (entered)
    return (
      <Outcome tone="done" title={t('signUp.ssoDone')}>
        <p>{t('signUp.ssoClose')}</p>
      </Outcome>
    )
  if (mailedTo !== undefined)
    return (
      <Outcome tone="mail" title={t('signUp.sso.mailTitle')}>
        <p>{t('signUp.sso.mailed', { email: mailedTo })}</p>
      </Outcome>
    )
  if (failed === undefined) return <Asking />
  const toSignIn = (
    <a
      href={signInAddress(begun?.accountId ?? null)}
      className={buttonClassName({ variant: 'primary', size: 'lg', fullWidth: true })}
    >
      {t('signUp.toSignIn')}
    </a>
  )
  return (
    <Outcome
      tone="failed"
      title={t(begun?.connects ? 'signUp.sso.notConnected' : 'signUp.ssoFailed')}
      actions={begun?.closes ? undefined : toSignIn}
    >
      <p>{failed}</p>
      {begun?.closes && <p>{t('signUp.ssoAgain')}</p>}
    </Outcome>
  )
}
