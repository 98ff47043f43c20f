import { createContext, use, useEffect, useEffectEvent, useState } from 'react'

/** What can be opened above any page; one at a time. */
const OVERLAYS = [
  'palette',
  'shortcuts',
  'as code',
  'notifications',
  'profile',
  'roles',
  'switch account',
  'logout',
] as const
export type Overlay = (typeof OVERLAYS)[number]

interface OpenOverlay {
  readonly overlay: Overlay | null
  readonly show: (overlay: Overlay | null) => void
}

export const OverlayContext = createContext<OpenOverlay>({ overlay: null, show: () => undefined })

export const useOverlay = (): OpenOverlay => use(OverlayContext)

export const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('input:not([type="checkbox"], [type="radio"]), textarea, select'))

/** Mod+K, and `?` where it is not a letter of what somebody writes. */
export function useOverlays(): OpenOverlay {
  const [overlay, show] = useState<Overlay | null>(null)
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    const isMod = event.metaKey || event.ctrlKey
    if (event.key.toLowerCase() === 'k' && isMod && !event.altKey && !event.shiftKey) {
      event.preventDefault()
      show('palette')
    } else if (event.key === '?' && !isMod && overlay === null && !isWriting(event.target)) {
      event.preventDefault()
      show('shortcuts')
    }
  })
  useEffect(() => {
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [])
  return { overlay, show }
}
