import { useSyncExternalStore } from 'react'

/** Where menu and panes beside a page would leave little of it, as on a small window or at a large zoom. */
const NARROW = '(max-width: 900px)'

const query = (): MediaQueryList | null => window.matchMedia?.(NARROW) ?? null

function subscribe(listener: () => void): () => void {
  const media = query()
  media?.addEventListener('change', listener)
  return () => media?.removeEventListener('change', listener)
}

export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => query()?.matches ?? false)
