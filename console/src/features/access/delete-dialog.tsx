import { perms } from '@boathouse/contract/perms'
import type { Grantee } from '@boathouse/contract/perms'
import { t } from '../../i18n/texts.ts'
import { useTypedName } from '../../ui/index.ts'
import { ChangeDialog } from './change-dialog.tsx'
import { useRemoval } from './use-change.ts'

interface Props {
  readonly of: Grantee
  readonly onClose: () => void
  readonly onDeleted?: (() => void) | undefined
}

/** It cannot be undone, so it says what goes with it, and the name is typed. */
export function DeleteDialog({ of, onClose, onDeleted }: Props) {
  const { kind, name } = of
  const typed = useTypedName(name)
  const removeRole = useRemoval(perms.deleteRole)
  const removeUser = useRemoval(perms.deleteUser)
  const confirm = async () => {
    if (!typed.accept()) return false
    if (kind === 'role') await removeRole.mutateAsync({ role: name })
    else await removeUser.mutateAsync({ user: name })
    onDeleted?.()
    return true
  }
  return (
    <ChangeDialog
      danger
      title={t(kind === 'role' ? 'access.remove.roleTitle' : 'access.remove.userTitle', { name })}
      confirmLabel={t(kind === 'role' ? 'access.remove.roleConfirm' : 'access.remove.userConfirm')}
      planned={{ change: 'delete', grantee: of }}
      confirmDisabled={typed.isEmpty}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{t(kind === 'role' ? 'access.remove.roleBody' : 'access.remove.userBody')}</p>
      {typed.field}
    </ChangeDialog>
  )
}
