import type { SavedTab } from '@boathouse/contract/editor'
import { lazy, Suspense, useId, useState } from 'react'
import type { KeyboardEvent, MouseEvent } from 'react'
import type { OpenTab } from './use-open-tab.ts'

const TabMenu = lazy(async () => ({ default: (await import('./tab-menu.tsx')).TabMenu }))
const OpenTabsMenu = lazy(async () => ({ default: (await import('./tab-menu.tsx')).OpenTabsMenu }))

interface OpenedMenu {
  /** Of one tab, or of all of them. */
  readonly of: 'tab' | 'all'
  readonly tabId: string | null
  readonly anchor: HTMLElement
}

/** The menus of the open tabs, of which one is open at most; their code comes with the first. */
export function useTabMenu(opened: OpenTab, onRename: (tab: SavedTab) => void) {
  const [menu, setMenu] = useState<OpenedMenu | null>(null)
  const id = useId()
  const { tabs, tabId } = opened
  const list = menu && {
    id,
    anchor: menu.anchor,
    opened,
    onClose: (returns: boolean) => {
      if (returns) menu.anchor.focus({ preventScroll: true })
      setMenu(null)
    },
  }
  return {
    open: ({ bizId }: SavedTab, anchor: HTMLElement) => setMenu({ of: 'tab', tabId: bizId, anchor }),
    /** Of a button that opens a menu: that of the shown tab, or the list. */
    button: (of: OpenedMenu['of']) => ({
      'aria-haspopup': 'menu' as const,
      'aria-expanded': menu?.of === of && menu.anchor.role !== 'tab',
      onClick: ({ currentTarget: anchor }: MouseEvent<HTMLElement>) =>
        setMenu((open) => (open?.anchor === anchor ? null : { of, tabId, anchor })),
      onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
        event.preventDefault()
        setMenu({ of, tabId, anchor: event.currentTarget })
      },
    }),
    opened: list && (
      <Suspense fallback={null}>
        {menu.of === 'all' ? (
          <OpenTabsMenu {...list} />
        ) : (
          <TabMenu {...list} tab={tabs.find((tab) => tab.bizId === menu.tabId)} onRename={onRename} />
        )}
      </Suspense>
    ),
  }
}
