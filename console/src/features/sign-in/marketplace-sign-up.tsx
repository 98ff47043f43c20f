import { marketplace } from '@boathouse/contract/sign-up'
import { t } from '../../i18n/texts.ts'
import { send } from '../../lib/api.ts'
import { Asking } from './choose-password.tsx'
import { useFollowed } from './link.ts'
import { Outcome } from './outcome.tsx'
import formStyles from './sign-in.module.css'
import { SignUpForm } from './sign-up-form.tsx'
import styles from './sign-up.module.css'

interface Props {
  readonly token: string
  readonly businessMailOnly: boolean
  readonly onReceived: (email: string) => void
}

/** The marketplace sends the buyer here with a token, which can be invalid or expired. */
export function MarketplaceSignUp({ token, businessMailOnly, onReceived }: Props) {
  const followed = useFollowed(marketplace.resolve, { token })
  if (followed.state === 'asking') return <Asking />
  if (followed.state === 'refused')
    return (
      <Outcome tone="failed" title={t('signUp.marketplace.failedTitle')}>
        <p>{followed.message}</p>
      </Outcome>
    )
  return (
    <>
      <h1 className={formStyles['title']}>{t('signUp.marketplace.title')}</h1>
      <p className={styles['lead']}>{t('signUp.marketplace.lead', { ...followed.data })}</p>
      <SignUpForm
        businessMailOnly={businessMailOnly}
        submitLabel={t('signUp.marketplace.submit')}
        onSubmit={async (form) => {
          await send(marketplace.signUp, { ...form, token }, { silent: true })
          onReceived(form.email)
        }}
      />
      <p className={styles['small']}>{t('signUp.trial.note')}</p>
    </>
  )
}
