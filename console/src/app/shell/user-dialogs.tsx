import type { UserInfo } from '@boathouse/contract/user'
import { t } from '../../i18n/texts.ts'
import { ConfirmDialog } from '../../ui/index.ts'
import { SwitchAccount } from './account/switch-account.tsx'
import { useSignOut } from './sign-out.ts'
import { UserSettings } from './user-settings.tsx'

export type UserDialog = 'profile' | 'roles' | 'switch account' | 'logout'

interface Props {
  readonly dialog: UserDialog
  readonly user: UserInfo
  readonly onClose: () => void
}

/** What the user menu opens. */
export function UserDialogs({ dialog, user, onClose }: Props) {
  const signOut = useSignOut()
  switch (dialog) {
    case 'profile':
      return <UserSettings user={user} tab="overview" onClose={onClose} />
    case 'roles':
      return <UserSettings user={user} tab="roles" onClose={onClose} />
    case 'switch account':
      return <SwitchAccount accountId={user.accountId} onClose={onClose} />
    case 'logout':
      return (
        <ConfirmDialog
          open
          onClose={onClose}
          onConfirm={signOut}
          title={t('shell.logout.title')}
          confirmLabel={t('shell.logout.confirm')}
        >
          <p>{t('shell.logout.body', { account: user.accountName })}</p>
        </ConfirmDialog>
      )
  }
}
