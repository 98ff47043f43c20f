import { t } from '../../i18n/texts.ts'
import { IconCopy } from '../../ui/icons.ts'
import { IconButton, Menu, useCopy } from '../../ui/index.ts'
import type { MenuEntry } from '../../ui/index.ts'
import { IconDots, IconFileText, IconTrash } from './icons.ts'

interface Props {
  readonly name: string
  readonly signInAddress: string
  /** Null for who may not. */
  readonly onOpen: (() => void) | null
  readonly onRelease: (() => void) | null
}

/** What can be done with one account of the list. */
export function AccountMenu({ name, signInAddress, onOpen, onRelease }: Props) {
  const copy = useCopy()
  const entries: MenuEntry[] = [
    {
      label: t('account.list.copyLogin'),
      icon: <IconCopy size={16} aria-hidden />,
      onSelect: () => copy(signInAddress),
    },
  ]
  if (onOpen)
    entries.unshift({
      label: t('account.list.details'),
      icon: <IconFileText size={16} aria-hidden />,
      onSelect: onOpen,
    })
  if (onRelease)
    entries.push(
      { kind: 'divider' },
      {
        label: t('account.list.delete'),
        icon: <IconTrash size={16} aria-hidden />,
        danger: true,
        onSelect: onRelease,
      },
    )
  const label = t('account.list.actions', { name })
  const trigger = (
    <IconButton label={label} size="sm">
      <IconDots size={16} aria-hidden />
    </IconButton>
  )
  return <Menu trigger={trigger} label={label} entries={entries} />
}
