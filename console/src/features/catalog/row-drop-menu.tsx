import { schema } from '@boathouse/contract/schema'
import type { Sent } from '@boathouse/contract/call'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { IconDots, IconTrash } from '../../ui/icons.ts'
import { IconButton, Menu } from '../../ui/index.ts'

interface Props {
  readonly name: string
  /** The request, sent once the user comes near. */
  readonly asked: Sent<typeof schema.actions>
  readonly disabled?: boolean
  readonly onDrop: () => void
}

/** The menu at the end of a row of a list. */
export function RowDropMenu({ name, asked, disabled = false, onDrop }: Props) {
  const [isNear, setNear] = useState(false)
  const { data } = useCall(schema.actions, asked, { silent: true, enabled: isNear })
  const label = t('catalog.actionsOf', { name })
  const comeNear = () => setNear(true)
  return (
    <Menu
      label={label}
      width={180}
      entries={[
        {
          label: t('catalog.drop.action'),
          icon: <IconTrash size={16} stroke={1.6} aria-hidden />,
          danger: true,
          disabled,
          reason: data?.dropObject || data?.dropDatabase,
          onSelect: onDrop,
        },
      ]}
      trigger={
        <IconButton label={label} size="sm" onPointerEnter={comeNear} onFocus={comeNear}>
          <IconDots size={16} aria-hidden />
        </IconButton>
      }
    />
  )
}
