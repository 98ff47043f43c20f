import '../../i18n/sign-up.ts'
import { useSearch } from '@tanstack/react-router'
import { t } from '../../i18n/texts.ts'
import { SignInFrame } from '../../features/sign-in/frame.tsx'
import { Outcome } from '../../features/sign-in/outcome.tsx'

export function FreeTrialReceivedPage() {
  const { email } = useSearch({ from: '/free-trial-received' })
  return (
    <SignInFrame>
      <Outcome tone="mail" title={t('signUp.received.title')}>
        <p>{email ? t('signUp.received.sent', { email }) : t('signUp.received.sentSomewhere')}</p>
        <p>{t('signUp.received.help')}</p>
      </Outcome>
    </SignInFrame>
  )
}
