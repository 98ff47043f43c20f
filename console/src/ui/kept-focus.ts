import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'

const TABBABLE = 'a[href], button, input, select, textarea, [tabindex]'

const tabbablesIn = (panel: HTMLElement): HTMLElement[] =>
  [...panel.querySelectorAll<HTMLElement>(TABBABLE)].filter(
    (element) =>
      element.tabIndex >= 0 && !element.matches(':disabled') && !element.closest('[hidden], [inert]'),
  )

const firstField = (panel: HTMLElement): HTMLElement | undefined =>
  tabbablesIn(panel).find((element) => element.matches('input, select, textarea'))

/** Tab goes round inside of the panel. */
function keepTab(panel: HTMLElement, event: KeyboardEvent): void {
  if (event.key !== 'Tab') return
  const all = tabbablesIn(panel)
  const [end, other] = event.shiftKey ? [all[0], all.at(-1)] : [all.at(-1), all[0]]
  if (document.activeElement !== end && document.activeElement !== panel) return
  event.preventDefault()
  other?.focus()
}

/** The focus goes into a panel when that comes, and back to where it was when it goes. Out of a modal one it cannot. */
export function useKeptFocus({ isModal }: { isModal: boolean }): RefObject<HTMLDivElement | null> {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = panel.current
    const before = document.activeElement
    if (!element) return undefined
    if (!element.contains(before)) {
      const first = element.querySelector<HTMLElement>('[data-autofocus]') ?? firstField(element)
      ;(first ?? element).focus()
    }
    const pressed = (event: KeyboardEvent) => keepTab(element, event)
    if (isModal) element.addEventListener('keydown', pressed)
    return () => {
      element.removeEventListener('keydown', pressed)
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [isModal])
  return panel
}
