import { useCallback, useSyncExternalStore } from 'react'
import { useMatch, useRouterState } from '@tanstack/react-router'

/** A page between the list and this one. */
export interface Crumb {
  readonly name: string
  readonly to: string
}

/** The name of the object of a page, which the page reports once it knows it; its address is known before. */
interface Named {
  /** Of the page and its address. */
  readonly match: string
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

/** For the page itself: creates its `onNamed`. */
export function useNamePage(): (name: string, trail?: readonly Crumb[]) => void {
  // Its own: while the next page is on its way, the address is that one's already.
  const match = useMatch({ strict: false, select: ({ id }) => id })
  return useCallback((name, trail = []) => set({ match, name, trail }), [match])
}

/** For breadcrumb and document title. */
export function usePageName(): Omit<Named, 'match'> | undefined {
  const match = useRouterState({ select: ({ matches }) => matches.at(-1)?.id })
  const known = useSyncExternalStore(subscribe, () => named)
  return known?.match === match ? (known ?? undefined) : undefined
}
