import '../../i18n/sign-up.ts'
import { useSearch } from '@tanstack/react-router'
import { SetUpPassword } from '../../features/sign-in/choose-password.tsx'
import { SignInFrame } from '../../features/sign-in/frame.tsx'
import { signInPathOf } from '../paths.ts'

/** Where the link of an invitation leads. */
export function SetupPasswordPage() {
  const { token = '' } = useSearch({ from: '/setup-password' })
  return (
    <SignInFrame>
      <SetUpPassword token={token} signInAddress={signInPathOf} />
    </SignInFrame>
  )
}
