import '../../i18n/sign-up.ts'
import { LIMITS } from '@boathouse/contract/limits'
import { t } from '../../i18n/texts.ts'
import { SignInFrame } from '../../features/sign-in/frame.tsx'
import { Outcome } from '../../features/sign-in/outcome.tsx'
import { useSession } from '../../lib/session.ts'
import { buttonClassName } from '../../ui/index.ts'
import { signInPath } from '../paths.ts'
import { SupportContact } from '../support-contact.tsx'

export function FreeTrialExpiredPage() {
  const { account, region } = useSession()
  const signIn = (
    <a
      href={signInPath(account, region)}
      className={buttonClassName({ variant: 'primary', size: 'lg', fullWidth: true })}
    >
      {t('signIn.submit')}
    </a>
  )
  return (
    <SignInFrame>
      <Outcome tone="failed" title={t('signUp.expired.title')} actions={signIn}>
        <p>{t('signUp.expired.body')}</p>
        <p>{t('signUp.expired.kept', { days: LIMITS.retentionDays })}</p>
        <SupportContact before={t('signUp.expired.help')} />
      </Outcome>
    </SignInFrame>
  )
}
