import { initialsOf } from '@boathouse/contract/rules'
import type { UserInfo } from '@boathouse/contract/user'
import { t } from '../../i18n/texts.ts'
import { Badge, Menu, useColorScheme } from '../../ui/index.ts'
import type { ColorSchemeChoice, MenuEntry } from '../../ui/index.ts'
import { useOverlay } from './overlay.ts'
import styles from './user-menu.module.css'

export function UserMenu({ user }: { user: UserInfo }) {
  const { show } = useOverlay()
  const theme = useThemeEntries()
  const dialogs: readonly MenuEntry[] = [
    { label: t('shell.user.profile'), onSelect: () => show('profile') },
    { label: t('shell.user.ownRoles'), onSelect: () => show('roles') },
    { label: t('shell.user.switchAccount'), onSelect: () => show('switch account') },
    { label: t('shell.user.logout'), onSelect: () => show('logout') },
  ]
  const trigger = (
    <button
      type="button"
      className={styles['avatar']}
      aria-label={`${initialsOf(user.user)}, ${t('shell.user.menu', { user: user.user })}`}
    >
      {initialsOf(user.user)}
    </button>
  )
  return (
    <Menu
      trigger={trigger}
      label={t('shell.user.menu', { user: user.user })}
      width={248}
      header={<WhoAmI user={user} />}
      entries={[{ kind: 'divider' }, ...theme, { kind: 'divider' }, ...dialogs]}
    />
  )
}

function WhoAmI({ user }: { user: UserInfo }) {
  return (
    <div className={styles['who']}>
      <p className={styles['name']}>{user.user}</p>
      <p className={styles['account']}>
        {user.accountName} · {user.accountId}
      </p>
      <p className={styles['heading']}>{t('shell.user.roles')}</p>
      <div className={styles['roles']}>
        {user.activeRoles.length === 0 && t('shell.user.noRoles')}
        {user.activeRoles.map((role) => (
          <Badge key={role}>{role}</Badge>
        ))}
      </div>
    </div>
  )
}

function useThemeEntries(): readonly MenuEntry[] {
  const { choice, choose } = useColorScheme()
  const options: readonly { value: ColorSchemeChoice; label: string }[] = [
    { value: 'auto', label: t('shell.user.themeAuto') },
    { value: 'light', label: t('shell.user.themeLight') },
    { value: 'dark', label: t('shell.user.themeDark') },
  ]
  const onChange = (value: string) => {
    const chosen = options.find((option) => option.value === value)
    if (chosen) choose(chosen.value)
  }
  return [
    { kind: 'heading', label: t('shell.user.theme') },
    { kind: 'choice', value: choice, options, onChange },
  ]
}
