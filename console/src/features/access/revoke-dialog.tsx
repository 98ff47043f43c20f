import { type Grant, type Grantee, perms } from '@boathouse/contract/perms'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { Checkboxes } from '../../ui/index.ts'
import { ChangeDialog } from './change-dialog.tsx'
import { Meanwhile } from './meanwhile.tsx'
import { useChange } from './use-change.ts'

interface Props {
  readonly grantee: Grantee
  readonly grant: Grant
  readonly onClose: () => void
}

export function RevokeDialog({ grantee, grant, onClose }: Props) {
  const [privileges, setPrivileges] = useState(grant.privileges)
  const fromUser = useChange(perms.revokePrivFromUser)
  const fromRole = useChange(perms.revokePrivFromRole)
  const isEmpty = privileges.length === 0
  const { object } = grant
  const confirm = async () => {
    if (isEmpty) return false
    if (grantee.kind === 'user') await fromUser.mutateAsync({ user: grantee.name, object, privileges })
    else await fromRole.mutateAsync({ role: grantee.name, object, privileges })
    return true
  }
  return (
    <ChangeDialog
      danger
      title={t('access.grants.revokeTitle', { name: grantee.name })}
      confirmLabel={t('access.grants.revokeConfirm')}
      planned={isEmpty ? null : { change: 'revoke-privileges', grantee, object, privileges }}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Meanwhile of={grantee} />
      <p>
        <code>{grant.objectText}</code>
      </p>
      <Checkboxes
        label={t('access.grants.privileges')}
        options={grant.privileges}
        value={privileges}
        onChange={setPrivileges}
        error={isEmpty ? t('access.grants.choosePrivilege') : undefined}
      />
    </ChangeDialog>
  )
}
