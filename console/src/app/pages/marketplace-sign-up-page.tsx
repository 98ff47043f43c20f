import '../../i18n/sign-up.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { MarketplaceSignUp } from '../../features/sign-in/marketplace-sign-up.tsx'
import { SignUpFrame } from '../../features/sign-in/sign-up-frame.tsx'
import { isBusinessMailOnly } from '../business-mail.ts'
import { receivedPath } from '../paths.ts'

export function MarketplaceSignUpPage() {
  const { token = '' } = useSearch({ from: '/marketplace/signup' })
  const navigate = useNavigate()
  return (
    <SignUpFrame trial={false}>
      <MarketplaceSignUp
        token={token}
        businessMailOnly={isBusinessMailOnly()}
        onReceived={(email) => void navigate({ href: receivedPath(email) })}
      />
    </SignUpFrame>
  )
}
