import { useId, useState } from 'react'
import { MenuList } from '../menu-list.tsx'
import type { MenuEntry } from '../menu.tsx'
import type { TreeRow } from './tree-rows.ts'

/** The menu of a row: opened by its dots, the other mouse button, Shift+F10 and the menu key. */
export interface TreeMenu<R extends TreeRow> {
  readonly label: (row: R) => string
  /** Called when the menu is opened; without entries there is no menu. */
  readonly entries: (row: R) => readonly MenuEntry[]
}

const MENU_PX = 220
const BELOW = { side: 'bottom', align: 'start' } as const

interface OpenedMenu<R> {
  readonly row: R
  /** The row on the screen. */
  readonly anchor: HTMLElement
  readonly entries: readonly MenuEntry[]
}

export function useTreeMenu<R extends TreeRow>(
  menu: TreeMenu<R> | undefined,
  isNote: ((row: R) => boolean) | undefined,
) {
  const [opened, setOpened] = useState<OpenedMenu<R> | null>(null)
  const menuId = useId()

  const openMenu = (row: R, anchor: HTMLElement) => {
    const entries = menu?.entries(row) ?? []
    if (entries.length > 0) setOpened({ row, anchor, entries })
  }
  const closeMenu = (returns: boolean) => {
    if (returns) opened?.anchor.focus({ preventScroll: true })
    setOpened(null)
  }
  const openedMenu = menu && opened && (
    <MenuList
      id={menuId}
      label={menu.label(opened.row)}
      anchor={opened.anchor}
      beside={BELOW}
      width={MENU_PX}
      entries={opened.entries}
      onClose={closeMenu}
    />
  )
  return { hasMenu: (row: R): boolean => menu !== undefined && !isNote?.(row), openMenu, openedMenu }
}
