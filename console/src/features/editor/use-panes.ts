import { useState } from 'react'
import { isBoolean, useKept } from '../../lib/kept.ts'
import { useNarrow } from '../../lib/narrow.ts'

/** Whether the pane at the side is open. Where there is little space it is closed until the user opens it. */
export function useSidePane() {
  const isNarrow = useNarrow()
  const [isWanted, want] = useKept<boolean>('side-open', true, isBoolean)
  const [isCalled, call] = useState(false)
  const isOpen = isNarrow ? isCalled : isWanted
  return { isOpen, toggle: () => (isNarrow ? call(!isCalled) : want(!isWanted)) }
}

const FOCUSABLE = '[tabindex="0"], [contenteditable="true"], button:not([disabled])'

/** From one part of the page to the next, and from the last to the first. */
export function focusNextPart(page: HTMLElement, parts: readonly string[]): void {
  const found = parts.flatMap((name) => page.querySelector<HTMLElement>(`[data-part="${name}"]`) ?? [])
  const now = found.findIndex((part) => part.contains(document.activeElement))
  for (let step = 1; step <= found.length; step++) {
    const next = found[(now + step) % found.length]
    const target =
      next?.querySelector<HTMLElement>('[role=grid]') ?? next?.querySelector<HTMLElement>(FOCUSABLE)
    if (target) return target.focus()
  }
}
