import type { UserInfo } from '@boathouse/contract'
import { useTranslation } from 'react-i18next'
import type { LoggedAccount } from '../../lib/session.ts'
import { IconMoon, IconSun } from '../../ui/icons.ts'
import { Button, Logo, useColorScheme } from '../../ui/index.ts'
import { AccountStep } from './account-step.tsx'
import styles from './sign-in.module.css'
import { UserStep } from './user-step.tsx'

interface Props {
  readonly at:
    | { readonly step: 'account' }
    | { readonly step: 'signin'; readonly accountId: string; readonly region: string | null }
  readonly remembered: readonly LoggedAccount[]
  readonly onAccount: (accountId: string, region: string) => void
  readonly onOtherAccount: () => void
  readonly onSignedIn: (info: UserInfo) => void
}

export function SignInPage({ at, remembered, onAccount, onOtherAccount, onSignedIn }: Props) {
  const { t } = useTranslation()
  return (
    <div className={styles['page']}>
      <SchemeToggle />
      <main className={styles['card']}>
        <div className={styles['brand']}>
          <Logo size={40} />
          <p className={styles['product']}>{t('shell.product')}</p>
          <p className={styles['tagline']}>{t('signIn.tagline')}</p>
        </div>
        {at.step === 'account' ? (
          <AccountStep remembered={remembered} onAccount={onAccount} />
        ) : (
          <UserStep
            key={at.accountId}
            accountId={at.accountId}
            region={at.region}
            knownUser={remembered.find((one) => one.accountId === at.accountId)?.user ?? ''}
            onOtherAccount={onOtherAccount}
            onSignedIn={onSignedIn}
          />
        )}
      </main>
    </div>
  )
}

function SchemeToggle() {
  const { t } = useTranslation()
  const { scheme, toggle } = useColorScheme()
  const dark = scheme === 'dark'
  const Icon = dark ? IconSun : IconMoon
  return (
    <div className={styles['corner']}>
      <Button variant="subtle" size="sm" onClick={toggle} leftIcon={<Icon size={15} aria-hidden />}>
        {dark ? t('signIn.lightTheme') : t('signIn.darkTheme')}
      </Button>
    </div>
  )
}
