import { addressCalls } from '@boathouse/contract/user-addresses'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { send } from '../../lib/api.ts'
import { Button, buttonClassName, Refusal } from '../../ui/index.ts'
import { Asking, type SignInPlace } from './choose-password.tsx'
import { useFollowed } from './link.ts'
import { Outcome } from './outcome.tsx'
import { refusalText } from './refusal.ts'
import styles from './sign-in.module.css'

interface Props {
  readonly token: string
  readonly signInAddress: (place: SignInPlace) => string
}

/** Where the link leads that is mailed to a new address. Opening it alone changes nothing: mail programs open links. */
export function ConfirmEmail({ token, signInAddress }: Props) {
  const followed = useFollowed(addressCalls.emailChangeLink, { token })
  const [isDone, setDone] = useState(false)
  const [working, setWorking] = useState(false)
  const [refused, setRefused] = useState<string>()
  if (followed.state === 'asking') return <Asking />
  if (followed.state === 'refused')
    return (
      <Outcome tone="failed" title={t('signUp.linkTitle')}>
        <p>{followed.message}</p>
        <p>{t('signUp.confirmEmail.again')}</p>
      </Outcome>
    )
  const { user, accountId, email } = followed.data
  if (isDone)
    return (
      <Outcome
        tone="done"
        title={t('signUp.confirmEmail.doneTitle')}
        actions={
          <a
            href={signInAddress(followed.data)}
            className={buttonClassName({ variant: 'primary', size: 'lg', fullWidth: true })}
          >
            {t('signIn.submit')}
          </a>
        }
      >
        <p>{t('signUp.confirmEmail.done', { email, user })}</p>
      </Outcome>
    )
  const confirm = async () => {
    setWorking(true)
    setRefused(undefined)
    try {
      await send(addressCalls.confirmEmail, { token }, { silent: true })
      setDone(true)
    } catch (failure) {
      setRefused(refusalText(failure, t('signIn.noAnswer')))
    } finally {
      setWorking(false)
    }
  }
  return (
    <section className={styles['form']}>
      <h1 className={styles['title']}>{t('signUp.confirmEmail.title')}</h1>
      <p className={styles['lead']}>
        {t('signUp.confirmEmail.lead', { email, user })} <code>{accountId}</code>
      </p>
      <p className={styles['note']}>{t('signUp.confirmEmail.warning')}</p>
      <Refusal text={refused} />
      <Button variant="primary" size="lg" fullWidth loading={working} onClick={() => void confirm()}>
        {t('signUp.confirmEmail.submit')}
      </Button>
    </section>
  )
}
