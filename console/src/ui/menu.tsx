import { cloneElement } from 'react'
import type { HTMLAttributes, ReactElement, ReactNode } from 'react'
import { MenuList } from './menu-list.tsx'
import { useMenuAnchor } from './use-menu-anchor.ts'

export type MenuEntry =
  | {
      readonly kind?: 'item'
      readonly label: ReactNode
      readonly icon?: ReactNode
      /** A key combination or a value, at the right edge. */
      readonly hint?: ReactNode
      readonly danger?: boolean
      readonly disabled?: boolean
      /** Why it cannot be chosen; it is disabled then. */
      readonly reason?: string | undefined
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
  /** The button that opens the menu. */
  readonly trigger: ReactElement<HTMLAttributes<HTMLElement>>
  readonly label: string
  /** Facts above the entries; nothing in it can be chosen. */
  readonly header?: ReactNode
  readonly entries: readonly MenuEntry[]
  readonly width?: number
  readonly position?: 'bottom-end' | 'bottom-start' | 'right-end'
}

const PLACES = {
  'bottom-end': { side: 'bottom', align: 'end' },
  'bottom-start': { side: 'bottom', align: 'start' },
  'right-end': { side: 'right', align: 'end' },
} as const

export function Menu({ trigger, label, header, entries, width = 220, position = 'bottom-end' }: Props) {
  const { id, anchor, button, close } = useMenuAnchor()
  return (
    <>
      {cloneElement(trigger, button)}
      {anchor && (
        <MenuList
          id={id}
          label={label}
          anchor={anchor}
          beside={PLACES[position]}
          width={width}
          entries={entries}
          onClose={close}
        >
          {header}
        </MenuList>
      )}
    </>
  )
}
