import '../../i18n/sign-up.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Activation } from '../../features/sign-in/activation.tsx'
import { SignInFrame } from '../../features/sign-in/frame.tsx'
import { SetUpProgress } from '../../features/sign-in/set-up-progress.tsx'
import { activeMailPath, FREE_TRIAL_PATH, signInPath } from '../paths.ts'

/** Confirms the address, then shows the set-up of the account; a reload continues where it was. */
export function ActiveMailPage() {
  const { token = '', setUp } = useSearch({ from: '/active-mail' })
  const navigate = useNavigate()
  return (
    <SignInFrame>
      {setUp === undefined ? (
        <Activation
          token={token}
          freeTrialAddress={FREE_TRIAL_PATH}
          onActivated={(setUpToken) => void navigate({ href: activeMailPath(setUpToken), replace: true })}
        />
      ) : (
        <SetUpProgress
          setUpToken={setUp}
          signInAddress={({ accountId, region }) => signInPath(accountId, region)}
        />
      )}
    </SignInFrame>
  )
}
