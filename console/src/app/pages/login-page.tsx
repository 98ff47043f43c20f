import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { SignInPage } from '../../features/sign-in/sign-in-page.tsx'
import { signInOrigin } from '../../lib/hosts.ts'
import { useSession } from '../../lib/session.ts'
import { chooseStep } from '../login-step.ts'
import { FREE_TRIAL_PATH, homePath, loginPath, resetPasswordPath, returnPath } from '../paths.ts'

/** Both steps have an address of their own, so Back leads from the second to the first. */
export function LoginPage() {
  const search = useSearch({ from: '/login' })
  const navigate = useNavigate()
  const { loggedAccounts, account, region } = useSession()
  const at = chooseStep(search, { account, region })
  const next = search.next ? { next: search.next } : {}
  // Its account is in another region, whose server knows its users.
  const elsewhere = at.step === 'signin' ? signInOrigin(at.region) : window.location.origin
  const { href: path } = useLocation()
  useEffect(() => {
    if (elsewhere !== window.location.origin) window.location.replace(elsewhere + path)
  }, [elsewhere, path])
  return (
    <SignInPage
      at={at}
      remembered={loggedAccounts}
      user={search.user ?? ''}
      trialAddress={FREE_TRIAL_PATH}
      next={search.next ?? null}
      resetAddress={(aid) => resetPasswordPath({ aid })}
      onAccount={(aid, found) =>
        void navigate({ href: loginPath({ step: 'signin', aid, region: found, ...next }) })
      }
      onOtherAccount={() => void navigate({ href: loginPath({ step: 'account', ...next }) })}
      onSignedIn={(info) => {
        const place = { region: info.region, aid: info.accountId }
        void navigate({ href: returnPath(search.next, place) ?? homePath(place), replace: true })
      }}
    />
  )
}
