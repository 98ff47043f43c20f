import { type Grantee, perms } from '@boathouse/contract/perms'
import {
  type AccessObject,
  NOT_GRANTABLE,
  objectOf,
  type Privilege,
  PRIVILEGES,
} from '@boathouse/contract/privileges'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { Checkboxes, Switch } from '../../ui/index.ts'
import { ChangeDialog } from './change-dialog.tsx'
import { Meanwhile } from './meanwhile.tsx'
import { ObjectChooser } from './object-chooser.tsx'
import { useChange } from './use-change.ts'

interface Props {
  readonly grantee: Grantee
  readonly onClose: () => void
}

const grantableOn = ({ type }: AccessObject): Privilege[] =>
  PRIVILEGES[type].filter((privilege) => !NOT_GRANTABLE.has(privilege))

/** ROLE-29, ROLE-32: an object, what may be done with it, whether it may be passed on, and who gains by it. */
export function GrantDialog({ grantee, onClose }: Props) {
  const [object, setObject] = useState(() => objectOf('table'))
  const [privileges, setPrivileges] = useState<Privilege[]>([])
  const [withGrantOption, setWithGrantOption] = useState(false)
  const [isShown, setShown] = useState(false)
  const toUser = useChange(perms.grantPrivToUser)
  const toRole = useChange(perms.grantPrivToRole)
  const isEmpty = privileges.length === 0
  const choose = (next: AccessObject) => {
    setObject(next)
    setPrivileges(grantableOn(next).filter((privilege) => privileges.includes(privilege)))
  }
  const confirm = async () => {
    setShown(true)
    if (isEmpty) return false
    const order = { object, privileges, withGrantOption }
    if (grantee.kind === 'user') await toUser.mutateAsync({ user: grantee.name, ...order })
    else await toRole.mutateAsync({ role: grantee.name, ...order })
    return true
  }
  return (
    <ChangeDialog
      title={t('access.grants.grantTitle', { name: grantee.name })}
      confirmLabel={t('access.grants.grantConfirm')}
      width={600}
      planned={isEmpty ? null : { change: 'grant-privileges', grantee, object, privileges }}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Meanwhile of={grantee} />
      <ObjectChooser value={object} onChange={choose} />
      <Checkboxes
        label={t('access.grants.privileges')}
        options={grantableOn(object)}
        value={privileges}
        onChange={setPrivileges}
        error={isShown && isEmpty ? t('access.grants.choosePrivilege') : undefined}
      />
      <Switch
        label={t('access.grants.option')}
        help={t('access.grants.optionHelp')}
        checked={withGrantOption}
        onChange={setWithGrantOption}
      />
    </ChangeDialog>
  )
}
