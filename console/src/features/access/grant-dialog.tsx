import { type Grantee, perms } from '@boathouse/contract/perms'
import {
  type AccessObject,
  NOT_GRANTABLE,
  objectText,
  type ObjectType,
  type Privilege,
  PRIVILEGES,
} from '@boathouse/contract/privileges'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { Checkboxes, Switch } from '../../ui/index.ts'
import { ChangeDialog } from './change-dialog.tsx'
import { Meanwhile } from './meanwhile.tsx'
import { ObjectChooser } from './object-chooser.tsx'
import { useChanges } from './use-change.ts'

interface Props {
  readonly grantee: Grantee
  /** What is chosen at first. */
  readonly begin?: { readonly object: AccessObject; readonly privilege: Privilege }
  readonly onClose: () => void
}

const grantableOn = (type: ObjectType): Privilege[] =>
  PRIVILEGES[type].filter((privilege) => !NOT_GRANTABLE.has(privilege))

const isSame = (one: AccessObject, other: AccessObject): boolean => objectText(one) === objectText(other)

/**
 * Objects of one type, none before they are chosen, what may be done with them, whether it may be passed on, and who
 * gains by it.
 */
export function GrantDialog({ grantee, begin, onClose }: Props) {
  const [type, setType] = useState<ObjectType>(begin?.object.type ?? 'table')
  const [objects, setObjects] = useState<readonly AccessObject[]>(begin ? [begin.object] : [])
  const [privileges, setPrivileges] = useState<Privilege[]>(begin ? [begin.privilege] : [])
  const [withGrantOption, setWithGrantOption] = useState(false)
  const [isShown, setShown] = useState(false)
  const toUser = useChanges(perms.grantPrivToUser)
  const toRole = useChanges(perms.grantPrivToRole)
  const isEmpty = privileges.length === 0
  const [first] = objects
  const chooseType = (next: ObjectType, chosen: readonly AccessObject[]) => {
    setType(next)
    setObjects(chosen)
    setPrivileges(grantableOn(next).filter((privilege) => privileges.includes(privilege)))
  }
  const drop = (object: AccessObject) => setObjects((before) => before.filter((one) => !isSame(one, object)))
  // From what is chosen by then: of two clicks in a row, neither may undo the other.
  const toggle = (object: AccessObject) =>
    setObjects((before) => {
      const others = before.filter((one) => !isSame(one, object))
      return others.length < before.length ? others : [...before, object]
    })
  const confirm = async () => {
    setShown(true)
    if (isEmpty || !first) return false
    const orders = objects.map((object) => ({ object, privileges, withGrantOption }))
    // Where a later one is refused, what is left in the dialog is what was not granted.
    const granted = (at: number) => {
      const object = objects[at]
      if (object && objects.length > 1) drop(object)
    }
    const { kind, name } = grantee
    if (kind === 'user')
      await toUser(
        orders.map((order) => ({ user: name, ...order })),
        granted,
      )
    else
      await toRole(
        orders.map((order) => ({ role: name, ...order })),
        granted,
      )
    return true
  }
  return (
    <ChangeDialog
      title={t('access.grants.grantTitle', { name: grantee.name })}
      confirmLabel={t('access.grants.grantConfirm')}
      width={600}
      planned={isEmpty || !first ? null : { change: 'grant-privileges', grantee, object: first, privileges }}
      alsoOn={objects.slice(1).map(objectText)}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Meanwhile of={grantee} />
      <ObjectChooser
        type={type}
        chosen={objects}
        onType={chooseType}
        onToggle={toggle}
        error={isShown && !first ? t('access.object.choose') : undefined}
      />
      <Checkboxes
        label={t('access.grants.privileges')}
        options={grantableOn(type)}
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
