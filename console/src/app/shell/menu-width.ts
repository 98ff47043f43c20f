import { LAYOUT } from '@boathouse/contract/limits'
import { useEffect, useRef } from 'react'
import type { MenuMode } from '../../lib/session.ts'

/** Auto keeps the narrow width and opens over the page while pointed at or focused. */
export const menuWidth = (mode: MenuMode): number =>
  mode === 'Expand' ? LAYOUT.menuExpandedPx : LAYOUT.menuCollapsedPx

/** The chosen mode. Until one is chosen, pages that need the room keep it narrow; so do narrow windows, whatever is chosen. */
export function menuModeOn(chosen: MenuMode | null, needs: { page: boolean; window: boolean }): MenuMode {
  if (chosen === null) return needs.page || needs.window ? 'Auto' : 'Expand'
  return needs.window && chosen === 'Expand' ? 'Auto' : chosen
}

/** Whatever measured itself (grids, the editor) listens to the window's resize and does so again. */
export function useRelayout(width: number): void {
  const known = useRef(width)
  useEffect(() => {
    if (known.current === width) return undefined
    known.current = width
    const timer = setTimeout(() => window.dispatchEvent(new Event('resize')), LAYOUT.menuRelayoutDelayMs)
    return () => clearTimeout(timer)
  }, [width])
}
