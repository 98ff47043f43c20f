import type { UserInfo } from '@boathouse/contract/user'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { t } from '../../i18n/texts.ts'
import { lazyPart } from '../../lib/lazy-part.ts'
import { IconHelp, IconMoon, IconSun } from '../../ui/icons.ts'
import { IconButton, Logo, Tooltip, useColorScheme } from '../../ui/index.ts'
import { guidePath, homePath } from '../paths.ts'
import type { Place } from '../paths.ts'
import { AsCodeButton } from './as-code/as-code-button.tsx'
import { Breadcrumb } from './breadcrumb.tsx'
import { ChannelStatus } from './channel-status.tsx'
import { Bell } from './notifications/bell.tsx'
import styles from './top-bar.module.css'
import { UserMenu } from './user-menu.tsx'

const SearchBox = lazyPart(async () => ({ default: (await import('./search/search-box.tsx')).SearchBox }))
const TrialLeft = lazyPart(() =>
  import('./account/trial-left.tsx').then((module) => ({ default: module.TrialLeft })),
)

export function TopBar({ user, place }: { user: UserInfo; place: Place }) {
  return (
    <header className={styles['bar']}>
      <Link to={homePath(place)} className={styles['home']} aria-label={t('shell.goHome')}>
        <Logo />
        <span className={styles['name']}>{t('shell.product')}</span>
      </Link>
      <Breadcrumb user={user} place={place} />
      <Suspense fallback={null}>
        <SearchBox place={place} />
      </Suspense>
      <div className={styles['tools']}>
        <Suspense fallback={null}>
          <TrialLeft />
        </Suspense>
        <ChannelStatus />
        <Tooltip label={t('shell.help')}>
          <Link to={guidePath(place)} className={styles['help']} aria-label={t('shell.help')}>
            <IconHelp size={18} stroke={1.6} aria-hidden />
          </Link>
        </Tooltip>
        <AsCodeButton />
        <Bell />
        <SchemeToggle />
        <UserMenu user={user} />
      </div>
    </header>
  )
}

function SchemeToggle() {
  const { scheme, toggle } = useColorScheme()
  const dark = scheme === 'dark'
  return (
    <IconButton
      label={dark ? t('shell.toLight') : t('shell.toDark')}
      className={styles['scheme']}
      onClick={toggle}
    >
      {dark ? (
        <IconSun size={18} stroke={1.6} aria-hidden />
      ) : (
        <IconMoon size={18} stroke={1.6} aria-hidden />
      )}
    </IconButton>
  )
}
