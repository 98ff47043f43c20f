import type { UserInfo } from '@boathouse/contract'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { IconHelp, IconMoon, IconSun } from '../../ui/icons.ts'
import { IconButton, Logo, Tooltip, useColorScheme } from '../../ui/index.ts'
import { usePageTitle } from '../page-title.ts'
import { homePath } from '../paths.ts'
import type { Place } from '../paths.ts'
import { ChannelStatus } from './channel-status.tsx'
import styles from './top-bar.module.css'
import { UserMenu } from './user-menu.tsx'

/** SHELL-63: the one description of the service that every installation serves. */
const HELP_ADDRESS = '/api/openapi.json'

export function TopBar({ user, place }: { user: UserInfo; place: Place }) {
  const { t } = useTranslation()
  return (
    <header className={styles['bar']}>
      <Link to={homePath(place)} className={styles['home']} aria-label={t('shell.goHome')}>
        <Logo />
        <span className={styles['name']}>{t('shell.product')}</span>
      </Link>
      <Breadcrumb user={user} place={place} />
      <div className={styles['tools']}>
        <ChannelStatus />
        <Tooltip label={t('shell.help')}>
          <a
            href={HELP_ADDRESS}
            target="_blank"
            rel="noreferrer"
            className={styles['help']}
            aria-label={t('shell.help')}
          >
            <IconHelp size={18} stroke={1.6} aria-hidden />
          </a>
        </Tooltip>
        <SchemeToggle />
        <UserMenu user={user} />
      </div>
    </header>
  )
}

function Breadcrumb({ user, place }: { user: UserInfo; place: Place }) {
  const { t } = useTranslation()
  const title = usePageTitle()
  return (
    <nav className={styles['breadcrumb']} aria-label={t('shell.breadcrumb')}>
      <ol>
        <li>
          <Link to={homePath(place)} aria-current={false}>
            {user.accountName}
          </Link>
        </li>
        {title && <li aria-current="page">{t(title)}</li>}
      </ol>
    </nav>
  )
}

function SchemeToggle() {
  const { t } = useTranslation()
  const { scheme, toggle } = useColorScheme()
  const dark = scheme === 'dark'
  return (
    <IconButton label={dark ? t('shell.toLight') : t('shell.toDark')} onClick={toggle}>
      {dark ? (
        <IconSun size={18} stroke={1.6} aria-hidden />
      ) : (
        <IconMoon size={18} stroke={1.6} aria-hidden />
      )}
    </IconButton>
  )
}
