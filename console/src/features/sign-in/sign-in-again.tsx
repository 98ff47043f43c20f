import type { UserInfo } from '@boathouse/contract/user'
import { t } from '../../i18n/texts.ts'
import { AccountLine } from './account-line.tsx'
import { Credentials } from './credentials.tsx'
import { SsoButton } from './sso-button.tsx'
import styles from './sign-in.module.css'

interface Props {
  readonly user: UserInfo
  readonly resetAddress: string
  readonly onOtherAccount: () => void
}

const stay = (): void => undefined

/** Over the page that somebody worked on when their login ended; whatever leads elsewhere opens a window of its own. */
export function SignInAgain({ user, resetAddress, onOtherAccount }: Props) {
  const { accountId, region } = user
  const line = <AccountLine accountId={accountId} region={region} onOtherAccount={onOtherAccount} />
  return (
    <Credentials accountId={accountId} knownUser={user.user} heading={line} onSignedIn={stay}>
      <SsoButton accountId={accountId} next={null} inNewWindow />
      <a href={resetAddress} target="_blank" rel="noreferrer" className={styles['aside']}>
        {t('signIn.forgot')}
      </a>
    </Credentials>
  )
}
