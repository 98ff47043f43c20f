import { initialsOf } from '@boathouse/contract'
import type { UserInfo } from '@boathouse/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconLogout } from '../../ui/icons.ts'
import { Badge, ConfirmDialog, Menu, useColorScheme } from '../../ui/index.ts'
import type { ColorSchemeChoice, MenuEntry } from '../../ui/index.ts'
import { useSignOut } from './sign-out.ts'
import styles from './user-menu.module.css'

export function UserMenu({ user }: { user: UserInfo }) {
  const { t } = useTranslation()
  const [leaving, setLeaving] = useState(false)
  const theme = useThemeEntries()
  const signOut = useSignOut()
  const trigger = (
    <button
      type="button"
      className={styles['avatar']}
      aria-label={`${initialsOf(user.user)}, ${t('shell.user.menu', { user: user.user })}`}
    >
      {initialsOf(user.user)}
    </button>
  )
  const logout: MenuEntry = {
    label: t('shell.user.logout'),
    icon: <IconLogout size={16} aria-hidden />,
    onSelect: () => setLeaving(true),
  }
  return (
    <>
      <Menu
        trigger={trigger}
        label={t('shell.user.menu', { user: user.user })}
        width={248}
        portal={false}
        header={<WhoAmI user={user} />}
        entries={[{ kind: 'divider' }, ...theme, { kind: 'divider' }, logout]}
      />
      {/* SHELL-68 */}
      <ConfirmDialog
        open={leaving}
        onClose={() => setLeaving(false)}
        onConfirm={signOut}
        title={t('shell.logout.title')}
        confirmLabel={t('shell.logout.confirm')}
      >
        <p>{t('shell.logout.body', { account: user.accountName })}</p>
      </ConfirmDialog>
    </>
  )
}

function WhoAmI({ user }: { user: UserInfo }) {
  const { t } = useTranslation()
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
  const { t } = useTranslation()
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
