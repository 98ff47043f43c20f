import '../../i18n/sign-up.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { SignInFrame } from '../../features/sign-in/frame.tsx'
import { SsoConfirm } from '../../features/sign-in/sso-confirm.tsx'
import { homePath } from '../paths.ts'

/** Where the link leads that is mailed to who first comes from the issuer. */
export function SsoConfirmPage() {
  const { token = '' } = useSearch({ from: '/sso-confirm' })
  const navigate = useNavigate()
  return (
    <SignInFrame>
      <SsoConfirm
        token={token}
        onSignedIn={({ region, accountId: aid }) =>
          void navigate({ href: homePath({ region, aid }), replace: true })
        }
      />
    </SignInFrame>
  )
}
