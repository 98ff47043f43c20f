import '../../i18n/sign-up.ts'
import { useNavigate } from '@tanstack/react-router'
import { FreeTrial } from '../../features/sign-in/free-trial.tsx'
import { SignUpFrame } from '../../features/sign-in/sign-up-frame.tsx'
import { isBusinessMailOnly } from '../business-mail.ts'
import { loginPath, receivedPath } from '../paths.ts'

export function FreeTrialPage() {
  const navigate = useNavigate()
  return (
    <SignUpFrame trial>
      <FreeTrial
        businessMailOnly={isBusinessMailOnly()}
        signInAddress={loginPath()}
        onReceived={(email) => void navigate({ href: receivedPath(email) })}
      />
    </SignUpFrame>
  )
}
