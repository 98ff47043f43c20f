import { type HeldRole, perms } from '@boathouse/contract/perms'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { IconPlus } from '../../ui/icons.ts'
import {
  Badge,
  Button,
  DataTable,
  EmptyState,
  Skeleton,
  Stack,
  StateDot,
  type TableColumn,
  Toolbar,
} from '../../ui/index.ts'
import styles from './access.module.css'
import { useAdminQuestion } from './admin-question.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import { RolePicker } from './pickers.tsx'
import { ToLink } from './to-link.tsx'
import { useChange, useMay } from './use-change.ts'
import { Time } from './user-columns.tsx'

/** The roles that a user was given directly. */
export function HeldRoles({ user }: { user: string }) {
  const { data, dataUpdatedAt } = useCall(perms.userRoles, { user })
  const [isGranting, setGranting] = useState(false)
  const [revoking, setRevoking] = useState<string | null>(null)
  const mayGrant = useMay('grant:create')
  const mayRevoke = useMay('grant:drop')
  const held = data?.roles
  const grant = (
    <Button
      variant="primary"
      leftIcon={<IconPlus size={16} aria-hidden />}
      disabled={!mayGrant}
      title={mayGrant ? undefined : t('access.noPermission')}
      onClick={() => setGranting(true)}
    >
      {t('access.held.grant')}
    </Button>
  )
  return (
    <Stack>
      <Toolbar action={held?.length !== 0 && grant}>
        <p className={styles['note']}>{t('access.held.note')}</p>
      </Toolbar>
      {!held && <Skeleton height={120} />}
      {held?.length === 0 && (
        <EmptyState title={t('access.held.empty')} actions={grant}>
          <p>{t('access.held.emptyWhy')}</p>
        </EmptyState>
      )}
      {held && held.length > 0 && (
        <DataTable
          label={t('access.held.title')}
          columns={columnsFor({ now: dataUpdatedAt, mayRevoke, onRevoke: setRevoking })}
          rows={held}
          rowKey={({ role }) => role}
        />
      )}
      {isGranting && (
        <GrantRole
          user={user}
          held={held?.map(({ role }) => role) ?? []}
          onClose={() => setGranting(false)}
        />
      )}
      {revoking && <RevokeRole user={user} role={revoking} onClose={() => setRevoking(null)} />}
    </Stack>
  )
}

interface Columns {
  readonly now: number
  readonly mayRevoke: boolean
  readonly onRevoke: (role: string) => void
}

const columnsFor = ({ now, mayRevoke, onRevoke }: Columns): readonly TableColumn<HeldRole>[] => [
  {
    key: 'role',
    header: t('access.held.column.role'),
    cell: ({ role }) => <ToLink kind="role" name={role} />,
  },
  {
    key: 'kind',
    header: t('access.held.column.kind'),
    cell: ({ isBuiltIn }) => (
      <Badge tone={isBuiltIn ? 'neutral' : 'accent'}>
        {isBuiltIn ? t('access.role.kind.builtIn') : t('access.role.kind.custom')}
      </Badge>
    ),
  },
  {
    key: 'active',
    header: t('access.held.column.active'),
    cell: ({ active }) => (
      <StateDot tone={active ? 'ok' : 'neutral'}>
        {active ? t('access.held.active') : t('access.held.inactive')}
      </StateDot>
    ),
  },
  {
    key: 'granted',
    header: t('access.held.column.granted'),
    cell: ({ grantedAt }) => <Time at={grantedAt} now={now} />,
  },
  {
    key: 'actions',
    header: t('access.held.column.actions'),
    hideHeader: true,
    align: 'end',
    cell: ({ role }) => (
      <Button
        size="sm"
        disabled={!mayRevoke}
        aria-label={t('access.held.revokeOf', { role })}
        onClick={() => onRevoke(role)}
      >
        {t('access.held.revoke')}
      </Button>
    ),
  },
]

interface GrantProps {
  readonly user: string
  readonly held: readonly string[]
  readonly onClose: () => void
}

function GrantRole({ user, held, onClose }: GrantProps) {
  const [role, setRole] = useState<string | null>(null)
  const [isShown, setShown] = useState(false)
  const grant = useChange(perms.grantRoleToUser)
  const { ask, question } = useAdminQuestion()
  const confirm = async () => {
    setShown(true)
    if (role === null || !(await ask({ name: user, roles: [role] }))) return false
    await grant.mutateAsync({ role, user })
    return true
  }
  return (
    <ChangeDialog
      title={t('access.held.grantTitle', { name: user })}
      confirmLabel={t('access.held.grant')}
      planned={role === null ? null : { change: 'grant-role', role, grantee: { kind: 'user', name: user } }}
      onConfirm={confirm}
      onClose={onClose}
    >
      <RolePicker
        label={t('access.pick.role')}
        value={role}
        onChange={setRole}
        without={['public', ...held]}
        error={isShown && role === null ? t('access.pick.chooseRole') : undefined}
      />
      {question}
    </ChangeDialog>
  )
}

interface RevokeProps {
  readonly user: string
  readonly role: string
  readonly onClose: () => void
}

export function RevokeRole({ user, role, onClose }: RevokeProps) {
  const revoke = useChange(perms.revokeRoleFromUser)
  const confirm = async () => {
    await revoke.mutateAsync({ role, user })
    return true
  }
  return (
    <ChangeDialog
      danger
      title={t('access.held.revokeTitle', { role, name: user })}
      confirmLabel={t('access.held.revokeConfirm')}
      planned={{ change: 'revoke-role', role, grantee: { kind: 'user', name: user } }}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}
