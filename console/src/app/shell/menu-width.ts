import { LAYOUT } from '@boathouse/contract/limits'
import { useEffect, useRef } from 'react'
import type { MenuMode } from '../../lib/session.ts'

/** SHELL-45: Auto keeps the narrow width and opens over the page while pointed at or focused. */
export const menuWidth = (mode: MenuMode): number =>
  mode === 'Expand' ? LAYOUT.menuExpandedPx : LAYOUT.menuCollapsedPx

/** SHELL-48: whatever measured itself (grids, the editor) listens to the window's resize and does so again. */
export function useRelayout(width: number): void {
  const known = useRef(width)
  useEffect(() => {
    if (known.current === width) return undefined
    known.current = width
    const timer = setTimeout(() => window.dispatchEvent(new Event('resize')), LAYOUT.menuRelayoutDelayMs)
    return () => clearTimeout(timer)
  }, [width])
}
