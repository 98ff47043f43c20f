import '../../i18n/sign-up.ts'
import { useSearch } from '@tanstack/react-router'
import { ResetPassword } from '../../features/sign-in/choose-password.tsx'
import { SignInFrame } from '../../features/sign-in/frame.tsx'
import { RequestReset } from '../../features/sign-in/request-reset.tsx'
import { useSession } from '../../lib/session.ts'
import { resetPasswordPath, signInPath, signInPathOf } from '../paths.ts'

/** Without a token it asks for a link, with one it asks for the new password. */
export function ResetPasswordPage() {
  const { token, aid } = useSearch({ from: '/reset-password' })
  const { account, region } = useSession()
  const known = aid ?? account ?? ''
  return (
    <SignInFrame>
      {token === undefined ? (
        <RequestReset
          knownAccount={known}
          signInAddress={signInPath(known || null, known === account ? region : null)}
        />
      ) : (
        <ResetPassword
          token={token}
          signInAddress={signInPathOf}
          requestAddress={resetPasswordPath(aid ? { aid } : {})}
        />
      )}
    </SignInFrame>
  )
}
