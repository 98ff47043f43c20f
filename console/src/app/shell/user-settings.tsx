import '../../i18n/keys.ts'
import '../../i18n/profile.ts'
import '../../i18n/sign-up.ts'
import type { UserInfo } from '@boathouse/contract/user'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { KeyList } from '../../features/key/key-list.tsx'
import { ChangePassword } from '../../features/sign-in/change-password.tsx'
import { Logins } from '../../features/sign-in/logins.tsx'
import { OwnEmail } from '../../features/sign-in/own-email.tsx'
import { OwnKept } from '../../features/sign-in/own-kept.tsx'
import { OwnSignIns } from '../../features/sign-in/own-sign-ins.tsx'
import { SsoConnection } from '../../features/sign-in/sso-connection.tsx'
import { Dialog, notify, Tabs } from '../../ui/index.ts'
import { OwnRoles } from './own-roles.tsx'
import { useLeave } from './sign-out.ts'
import styles from './user-settings.module.css'

const NOTICE_MS = 5_000

interface Props {
  readonly user: UserInfo
  readonly tab: 'overview' | 'roles'
  readonly onClose: () => void
}

/** Who I am, my password, my API keys, where I am signed in; which of my roles are active. */
export function UserSettings({ user, tab: first, onClose }: Props) {
  const [tab, setTab] = useState<string>(first)
  const items = [
    { value: 'overview', label: t('signUp.settings.overview'), content: <Overview user={user} /> },
    { value: 'roles', label: t('profile.roles.tab'), content: <OwnRoles /> },
  ]
  return (
    <Dialog open onClose={onClose} title={t('signUp.settings.title')} width={520} closeOnClickOutside={false}>
      <Tabs label={t('signUp.settings.tabs')} value={tab} onChange={setTab} items={items} />
    </Dialog>
  )
}

function Overview({ user }: { user: UserInfo }) {
  const leave = useLeave()
  const changed = () => {
    notify({ tone: 'ok', message: t('signUp.change.done'), durationMs: NOTICE_MS })
    void leave()
  }
  return (
    <>
      <dl className={styles['facts']}>
        <dt>{t('signUp.settings.userName')}</dt>
        <dd>{user.user}</dd>
        {/* Only the creator of the account sees the email. */}
        {user.user === user.creator && (
          <>
            <dt>{t('signUp.settings.email')}</dt>
            <dd>{user.email || t('signUp.settings.noEmail')}</dd>
          </>
        )}
      </dl>
      <h3 className={styles['heading']}>{t('signUp.ownEmail.title')}</h3>
      <OwnEmail hasEmail={user.email !== ''} />
      <h3 className={styles['heading']}>{t('signUp.change.title')}</h3>
      <ChangePassword user={user.user} onChanged={changed} />
      <SsoConnection accountId={user.accountId} headingClass={styles['heading']} />
      <h3 className={styles['heading']}>{t('keys.tab')}</h3>
      <KeyList owner={{ user: user.user, kind: 'self' }} />
      <h3 className={styles['heading']}>{t('signUp.logins.title')}</h3>
      <Logins />
      <h3 className={styles['heading']}>{t('signIns.own.title')}</h3>
      <OwnSignIns />
      <h3 className={styles['heading']}>{t('kept.own.title')}</h3>
      <OwnKept />
    </>
  )
}
