import { useCallback, useSyncExternalStore } from 'react'
import { useLocation } from '@tanstack/react-router'

/** A page between the list and this one. */
export interface Crumb {
  readonly name: string
  readonly to: string
}

/** What the object of a page is called, told by the page once it knows; its address is known before. */
interface Named {
  readonly path: string
  readonly name: string
  readonly trail: readonly Crumb[]
}

let named: Named | null = null
const listeners = new Set<() => void>()

function set(value: Named): void {
  named = value
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const usePath = (): string => useLocation({ select: ({ pathname }) => pathname })

/** For the page itself: hands out what its `onNamed` is to be. */
export function useNamePage(): (name: string, trail?: readonly Crumb[]) => void {
  const path = usePath()
  return useCallback((name, trail = []) => set({ path, name, trail }), [path])
}

/** For breadcrumb and document title. */
export function usePageName(): Omit<Named, 'path'> | undefined {
  const path = usePath()
  const known = useSyncExternalStore(subscribe, () => named)
  return known?.path === path ? known : undefined
}
