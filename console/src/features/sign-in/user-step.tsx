import type { UserInfo } from '@boathouse/contract/user'
import { t } from '../../i18n/texts.ts'
import { AccountLine } from './account-line.tsx'
import { Credentials } from './credentials.tsx'
import { SsoButton } from './sso-button.tsx'
import styles from './sign-in.module.css'

interface Props {
  readonly accountId: string
  readonly region: string | null
  /** Who signed in here last; may be empty. */
  readonly knownUser: string
  readonly resetAddress: string
  /** The page that the user opened before. */
  readonly next: string | null
  readonly onOtherAccount: () => void
  readonly onSignedIn: (info: UserInfo) => void
}

/** Asks who. */
export function UserStep(props: Props) {
  const { accountId, region, knownUser, resetAddress, next, onOtherAccount, onSignedIn } = props
  const heading = (
    <>
      <h1 className={styles['title']}>{t('signIn.userTitle')}</h1>
      <AccountLine accountId={accountId} region={region} onOtherAccount={onOtherAccount} />
    </>
  )
  return (
    <Credentials accountId={accountId} knownUser={knownUser} heading={heading} onSignedIn={onSignedIn}>
      <SsoButton accountId={accountId} next={next} />
      <a href={resetAddress} className={styles['aside']}>
        {t('signIn.forgot')}
      </a>
    </Credentials>
  )
}
