import type { Grantee } from '@boathouse/contract/perms'
import { t } from '../../i18n/texts.ts'
import { IconDots, IconTrash } from '../../ui/icons.ts'
import { IconButton, Menu } from '../../ui/index.ts'
import { useMay } from './use-change.ts'

interface Props {
  readonly of: Grantee
  readonly isFixed: boolean
  readonly onOpen?: (() => void) | undefined
  readonly onDelete: () => void
}

/** What can be done with a user or a role as a whole. */
export function RowMenu({ of: { kind, name }, isFixed, onOpen, onDelete }: Props) {
  const mayDrop = useMay(`${kind}:drop`)
  return (
    <Menu
      label={t('access.actionsOf', { name })}
      width={180}
      entries={[
        ...(onOpen ? [{ label: t('access.open'), onSelect: onOpen }] : []),
        {
          label: t('access.delete'),
          icon: <IconTrash size={16} stroke={1.6} aria-hidden />,
          danger: true,
          disabled: isFixed || !mayDrop,
          onSelect: onDelete,
        },
      ]}
      trigger={
        <IconButton label={t('access.actionsOf', { name })} size="sm">
          <IconDots size={16} aria-hidden />
        </IconButton>
      }
    />
  )
}
