import { Menu as KitMenu } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'

export type MenuEntry =
  | {
      readonly kind?: 'item'
      readonly label: ReactNode
      readonly icon?: ReactNode
      /** A key combination or a value, at the right edge. */
      readonly hint?: ReactNode
      readonly danger?: boolean
      readonly disabled?: boolean
      readonly onSelect: () => void
    }
  | { readonly kind: 'heading'; readonly label: ReactNode }
  | { readonly kind: 'divider' }
  | {
      readonly kind: 'choice'
      readonly value: string
      readonly options: readonly { readonly value: string; readonly label: string }[]
      readonly onChange: (value: string) => void
    }

interface Props {
  /** One element that takes a ref: the button that opens the menu. */
  readonly trigger: ReactElement
  readonly label: string
  /** Facts above the entries; nothing in it can be chosen. */
  readonly header?: ReactNode
  readonly entries: readonly MenuEntry[]
  readonly width?: number
  /** Off where the trigger's surroundings neither clip nor cover it: the menu then stays in their landmark. */
  readonly portal?: boolean
  readonly position?: 'bottom-end' | 'bottom-start' | 'right-end'
}

const positionOf = (entry: MenuEntry, index: number) =>
  'label' in entry && typeof entry.label === 'string' ? entry.label : index

function Entry({ entry }: { entry: MenuEntry }) {
  if (entry.kind === 'divider') return <KitMenu.Divider />
  if (entry.kind === 'heading') return <KitMenu.Label>{entry.label}</KitMenu.Label>
  if (entry.kind === 'choice')
    return (
      <KitMenu.RadioGroup value={entry.value} onChange={entry.onChange}>
        {entry.options.map((option) => (
          <KitMenu.RadioItem key={option.value} value={option.value} closeMenuOnClick>
            {option.label}
          </KitMenu.RadioItem>
        ))}
      </KitMenu.RadioGroup>
    )
  return (
    <KitMenu.Item
      leftSection={entry.icon}
      rightSection={entry.hint}
      disabled={entry.disabled ?? false}
      onClick={entry.onSelect}
      {...(entry.danger ? { c: 'var(--err)' } : {})}
    >
      {entry.label}
    </KitMenu.Item>
  )
}

export function Menu(props: Props) {
  const { trigger, label, header, entries, width = 220, position = 'bottom-end', portal = true } = props
  return (
    <KitMenu
      width={width}
      position={position}
      withInitialFocusPlaceholder={false}
      hideDetached={false}
      withinPortal={portal}
      transitionProps={{ duration: 120 }}
    >
      <KitMenu.Target>{trigger}</KitMenu.Target>
      <KitMenu.Dropdown aria-label={label}>
        {header}
        {entries.map((entry, index) => (
          <Entry key={positionOf(entry, index)} entry={entry} />
        ))}
      </KitMenu.Dropdown>
    </KitMenu>
  )
}
