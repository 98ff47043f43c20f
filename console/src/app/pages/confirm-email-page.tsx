import '../../i18n/sign-up.ts'
import { useSearch } from '@tanstack/react-router'
import { ConfirmEmail } from '../../features/sign-in/confirm-email.tsx'
import { SignInFrame } from '../../features/sign-in/frame.tsx'
import { signInPath } from '../paths.ts'

/** Where the link leads that is mailed to a new mail address. */
export function ConfirmEmailPage() {
  const { token = '' } = useSearch({ from: '/confirm-email' })
  return (
    <SignInFrame>
      <ConfirmEmail token={token} signInAddress={({ accountId, region }) => signInPath(accountId, region)} />
    </SignInFrame>
  )
}
