import '../../../i18n/relogin.ts'
import type { UserInfo } from '@boathouse/contract/user'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { SignInAgain } from '../../../features/sign-in/sign-in-again.tsx'
import { t } from '../../../i18n/texts.ts'
import { session, useSession } from '../../../lib/session.ts'
import { Button, Dialog } from '../../../ui/index.ts'
import { loginPath, resetPasswordPath } from '../../paths.ts'
import { SupportContact } from '../../support-contact.tsx'
import { useLeave } from '../sign-out.ts'
import styles from './relogin-dialog.module.css'

export interface ReloginProps {
  readonly open: boolean
  /** Whose page this is. */
  readonly user: UserInfo
}

const stay = (): void => undefined

/**
 * Says that the login has timed out, then asks for the next one over the page, where nothing is lost. A sign-in in
 * another window of this browser closes it too.
 */
export function ReloginDialog({ open, user }: ReloginProps) {
  const { token, account } = useSession()
  const leave = useLeave()
  const navigate = useNavigate()
  const here = useLocation({ select: (location) => location.href })
  const begin = () => {
    if (account === null) void leave(here)
    else session.lapse()
  }
  const otherAccount = () => {
    session.end()
    void navigate({ href: loginPath({ step: 'account', next: here }) })
  }
  return (
    <Dialog open={open} onClose={stay} closable={false} title={t('relogin.title')}>
      <div className={styles['words']}>
        <p>{t('relogin.body')}</p>
        {token === null && <p>{t('relogin.kept')}</p>}
      </div>
      {token === null ? (
        <SignInAgain
          user={user}
          resetAddress={resetPasswordPath({ aid: user.accountId })}
          onOtherAccount={otherAccount}
        />
      ) : (
        <div className={styles['foot']}>
          <SupportContact before={t('relogin.help')} />
          <Button variant="primary" onClick={begin} data-autofocus>
            {t('relogin.confirm')}
          </Button>
        </div>
      )}
    </Dialog>
  )
}
