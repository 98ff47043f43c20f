import type { UserEntry } from '@boathouse/contract/perms'
import { t } from '../../i18n/texts.ts'
import { formatDateTime, formatRelative } from '../../lib/format.ts'
import { StateDot, type TableColumn } from '../../ui/index.ts'
import { ToLink } from './to-link.tsx'

const MOST_ROLES = 3

/** Every user has `public`, so it is not shown. */
export function rolesText(roles: readonly string[]): string {
  const listed = roles.filter((role) => role !== 'public')
  if (listed.length <= MOST_ROLES) return listed.join(', ')
  const shown = listed.slice(0, MOST_ROLES).join(', ')
  return t('access.user.moreRoles', { shown, count: listed.length - MOST_ROLES })
}

export function UserState({ isInvited, isService }: Pick<UserEntry, 'isInvited' | 'isService'>) {
  if (isService) return <StateDot tone="neutral">{t('access.serviceUser')}</StateDot>
  return (
    <StateDot tone={isInvited ? 'warn' : 'ok'}>
      {isInvited ? t('access.invited') : t('access.user.active')}
    </StateDot>
  )
}

export const Time = ({ at, now }: { at: string; now: number }) => (
  <time dateTime={at} title={formatDateTime(at)}>
    {formatRelative(at, now)}
  </time>
)

export const userColumns = (now: number): readonly TableColumn<UserEntry>[] => [
  {
    key: 'name',
    header: t('access.user.column.name'),
    cell: ({ user }) => <ToLink kind="user" name={user} />,
  },
  {
    key: 'email',
    header: t('access.user.column.email'),
    leastPx: 120,
    cell: ({ email }) => <span title={email}>{email}</span>,
  },
  { key: 'state', header: t('access.user.column.state'), cell: (entry) => <UserState {...entry} /> },
  {
    key: 'roles',
    header: t('access.user.column.roles'),
    leastPx: 140,
    cell: ({ roles }) => <span title={roles.join(', ')}>{rolesText(roles)}</span>,
  },
  {
    key: 'lastUsed',
    header: t('access.user.column.lastUsed'),
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} now={now} /> : t('access.never')),
  },
]
