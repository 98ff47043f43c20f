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
import { type BegunSso, takeSso } from './sso-memory.ts'

interface Props {
  /** The query with which the issuer sent the browser back. */
  readonly answer: string
  readonly signInAddress: (accountId: string | null) => string
  readonly onSignedIn: (info: UserInfo, next: string | null) => void
}

type Login = Output<typeof sso.finish>

const finishing = new Map<string, Promise<Login>>()

/** An answer is good once, and an effect may run twice. */
function finishOnce({ secret }: BegunSso, answer: string): Promise<Login> {
  const running = finishing.get(secret) ?? send(sso.finish, { secret, answer }, { silent: true })
  finishing.set(secret, running)
  return running
}

/** SIGNIN-18 */
export function SsoReturn({ answer, signInAddress, onSignedIn }: Props) {
  const [begun] = useState(takeSso)
  const [failed, setFailed] = useState<string | undefined>(
    begun === null ? IDENTITY_MESSAGES.ssoOver : undefined,
  )
  const [entered, setEntered] = useState(false)
  const enter = useEffectEvent((login: Login) => {
    session.start(login)
    if (!begun?.closes) return onSignedIn(login.info, begun?.next ?? null)
    setEntered(true)
    window.close()
  })
  useEffect(() => {
    if (!begun) return undefined
    let left = false
    finishOnce(begun, answer).then(
      (login) => !left && enter(login),
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
    <Outcome tone="failed" title={t('signUp.ssoFailed')} actions={begun?.closes ? undefined : toSignIn}>
      <p>{failed}</p>
      {begun?.closes && <p>{t('signUp.ssoAgain')}</p>}
    </Outcome>
  )
}
