import { perms, type RoleEntry, type UserEntry } from '@boathouse/contract/perms'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { useSettled } from '../../lib/settled.ts'
import { IconPlus } from '../../ui/icons.ts'
import { Button, type TableColumn } from '../../ui/index.ts'
import { useAdminQuestion } from './admin-question.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import { RevokeRole } from './held-roles.tsx'
import { ListFrame, PAGE_SIZE } from './list-frame.tsx'
import { UserPicker } from './pickers.tsx'
import { useChange, useMay } from './use-change.ts'
import { userColumns } from './user-columns.tsx'

/** Who was given the role directly. */
export function Members({ of }: { of: RoleEntry }) {
  const { role } = of
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const [isGranting, setGranting] = useState(false)
  const [revoking, setRevoking] = useState<string | null>(null)
  const mayGrant = useMay('grant:create')
  const mayRevoke = useMay('grant:drop')
  const { data, dataUpdatedAt } = useCall(
    perms.rolesUser,
    { role, search: useSettled(search), page, pageSize: PAGE_SIZE },
    { placeholderData: (before) => before },
  )
  const isEveryones = role === 'public'
  return (
    <>
      <ListFrame
        label={t('access.members.title')}
        searchLabel={t('access.members.search')}
        search={search}
        page={page}
        onSearch={(text) => {
          setSearch(text)
          setPage(1)
        }}
        onPage={setPage}
        found={data}
        columns={[...userColumns(dataUpdatedAt), revokeColumn(mayRevoke && !isEveryones, setRevoking)]}
        rowKey={({ user }) => user}
        empty={t('access.members.empty')}
        why={t('access.members.emptyWhy')}
        action={
          <Button
            variant="primary"
            leftIcon={<IconPlus size={16} aria-hidden />}
            disabled={!mayGrant || isEveryones}
            title={mayGrant ? undefined : t('access.noPermission')}
            onClick={() => setGranting(true)}
          >
            {t('access.members.grant')}
          </Button>
        }
      />
      {isGranting && <GrantToUser role={role} onClose={() => setGranting(false)} />}
      {revoking && <RevokeRole user={revoking} role={role} onClose={() => setRevoking(null)} />}
    </>
  )
}

const revokeColumn = (mayRevoke: boolean, onRevoke: (user: string) => void): TableColumn<UserEntry> => ({
  key: 'actions',
  header: t('access.user.column.actions'),
  hideHeader: true,
  align: 'end',
  cell: ({ user }) => (
    <Button
      size="sm"
      disabled={!mayRevoke}
      aria-label={t('access.members.revokeOf', { user })}
      onClick={() => onRevoke(user)}
    >
      {t('access.held.revoke')}
    </Button>
  ),
})

function GrantToUser({ role, onClose }: { role: string; onClose: () => void }) {
  const [user, setUser] = useState<string | null>(null)
  const [isShown, setShown] = useState(false)
  const grant = useChange(perms.grantRoleToUser)
  const { ask, question } = useAdminQuestion()
  const confirm = async () => {
    setShown(true)
    if (user === null || !(await ask({ name: user, roles: [role] }))) return false
    await grant.mutateAsync({ role, user })
    return true
  }
  return (
    <ChangeDialog
      title={t('access.members.grantTitle', { name: role })}
      confirmLabel={t('access.held.grant')}
      planned={user === null ? null : { change: 'grant-role', role, grantee: { kind: 'user', name: user } }}
      onConfirm={confirm}
      onClose={onClose}
    >
      <UserPicker
        label={t('access.pick.user')}
        value={user}
        onChange={setUser}
        error={isShown && user === null ? t('access.pick.chooseUser') : undefined}
      />
      {question}
    </ChangeDialog>
  )
}
