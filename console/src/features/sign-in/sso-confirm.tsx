import { IDENTITY_MESSAGES } from '@boathouse/contract/identity-messages'
import { sso } from '@boathouse/contract/sso'
import type { UserInfo } from '@boathouse/contract/user'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { send } from '../../lib/api.ts'
import { session } from '../../lib/session.ts'
import { Button, Refusal } from '../../ui/index.ts'
import { Asking } from './choose-password.tsx'
import { useFollowed } from './link.ts'
import { Outcome } from './outcome.tsx'
import { refusalText } from './refusal.ts'
import styles from './sign-in.module.css'
import { confirmingSecret, forgetConfirming } from './sso-memory.ts'

interface Props {
  readonly token: string
  readonly onSignedIn: (info: UserInfo) => void
}

/** Where the link leads that is mailed to who first comes from the issuer. */
export function SsoConfirm({ token, onSignedIn }: Props) {
  const followed = useFollowed(sso.confirmationLink, { token })
  const [secret] = useState(confirmingSecret)
  const [working, setWorking] = useState(false)
  const [refused, setRefused] = useState<string>()
  if (followed.state === 'asking') return <Asking />
  if (followed.state === 'refused' || secret === null)
    return (
      <Outcome tone="failed" title={t('signUp.linkTitle')}>
        <p>{followed.state === 'refused' ? followed.message : IDENTITY_MESSAGES.ssoOtherBrowser}</p>
      </Outcome>
    )
  const { accountId, user, issuer } = followed.data
  const confirm = async () => {
    setWorking(true)
    setRefused(undefined)
    try {
      const login = await send(sso.confirm, { token, secret }, { silent: true })
      forgetConfirming()
      session.start(login)
      onSignedIn(login.info)
    } catch (failure) {
      setRefused(refusalText(failure, t('signIn.noAnswer')))
      setWorking(false)
    }
  }
  return (
    <section className={styles['form']}>
      <h1 className={styles['title']}>{t('signUp.sso.confirmTitle')}</h1>
      <p className={styles['lead']}>
        {t('signUp.sso.confirmLead', { issuer, user })} <code>{accountId}</code>
      </p>
      <p className={styles['note']}>{t('signUp.sso.confirmWarning')}</p>
      <Refusal text={refused} />
      <Button variant="primary" size="lg" fullWidth loading={working} onClick={() => void confirm()}>
        {t('signUp.sso.confirm')}
      </Button>
    </section>
  )
}
