import '../../i18n/sign-up.ts'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { SignInFrame } from '../../features/sign-in/frame.tsx'
import { SsoReturn } from '../../features/sign-in/sso-return.tsx'
import { t } from '../../i18n/texts.ts'
import { session } from '../../lib/session.ts'
import { notify } from '../../ui/index.ts'
import { homePath, returnPath, signInPath } from '../paths.ts'

/** Where the issuer sends the browser back. */
export function SsoRedirectPage() {
  const navigate = useNavigate()
  const answer = useLocation({ select: (location) => location.searchStr })
  return (
    <SignInFrame>
      <SsoReturn
        answer={answer}
        signInAddress={(accountId) => signInPath(accountId, null)}
        onSignedIn={(info, next) => {
          const place = { region: info.region, aid: info.accountId }
          void navigate({ href: returnPath(next ?? undefined, place) ?? homePath(place), replace: true })
        }}
        onConnected={(next) => {
          notify({ tone: 'ok', message: t('signUp.sso.connected') })
          const { user } = session.get()
          const place = user && { region: user.region, aid: user.accountId }
          const back = place ? (returnPath(next ?? undefined, place) ?? homePath(place)) : '/'
          void navigate({ href: back, replace: true })
        }}
      />
    </SignInFrame>
  )
}
