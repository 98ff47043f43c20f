import { signUpCalls } from '@boathouse/contract/sign-up'
import { t } from '../../i18n/texts.ts'
import { send } from '../../lib/api.ts'
import { SignUpForm } from './sign-up-form.tsx'
import styles from './sign-up.module.css'
import formStyles from './sign-in.module.css'

interface Props {
  readonly businessMailOnly: boolean
  readonly signInAddress: string
  readonly onReceived: (email: string) => void
}

export function FreeTrial({ businessMailOnly, signInAddress, onReceived }: Props) {
  return (
    <>
      <h1 className={formStyles['title']}>{t('signUp.trial.title')}</h1>
      <p className={styles['lead']}>{t('signUp.trial.lead')}</p>
      <SignUpForm
        businessMailOnly={businessMailOnly}
        submitLabel={t('signUp.trial.submit')}
        onSubmit={async (form) => {
          await send(signUpCalls.startFreeTrial, form, { silent: true })
          onReceived(form.email)
        }}
      />
      <p className={styles['small']}>{t('signUp.trial.note')}</p>
      <p className={styles['foot']}>
        {t('signUp.haveAccount')} <a href={signInAddress}>{t('signIn.submit')}</a>
      </p>
    </>
  )
}
